/** A reader of XML, strict where a report could go wrong: nesting, entities, characters that XML cannot hold. */

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

export function parseXml(text: string): Element {
  // eslint-disable-next-line no-control-regex
  const bad = /[^\u0009\u000a\u000d\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(text)
  if (bad) throw new Error(`character ${bad[0].charCodeAt(0)} at ${bad.index}`)
  if (text.includes(']]>')) throw new Error(']]> outside CDATA')
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
  if (!text.startsWith(declaration)) throw new Error('no declaration')
  const document: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [document]
  const token = /<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/gy
  token.lastIndex = declaration.length
  for (let at = token.lastIndex; at < text.length; at = token.lastIndex) {
    const match = token.exec(text)
    if (!match) throw new Error(`cannot read: ${text.slice(at, at + 60)}`)
    const [, end, name, attributes, empty, content] = match
    if (content !== undefined) open.at(-1)!.text += decoded(content)
    else if (end) {
      if (open.pop()!.name !== name) throw new Error(`${name} ends what is not open`)
    } else {
      const pairs = [...attributes!.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key, value]) => [key!, decoded(value!)] as const)
      if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`${name} has an attribute twice`)
      const element: Element = { name: name!, attributes: Object.fromEntries(pairs), children: [], text: '' }
      open.at(-1)!.children.push(element)
      if (!empty) open.push(element)
    }
  }
  if (open.length !== 1 || document.children.length !== 1) throw new Error('it does not end')
  return document.children[0]!
}

const decoded = (text: string): string =>
  text.replaceAll(/&([^;]*;?)/g, (all, name: string) => {
    const character = ENTITIES[name.replace(/;$/, '')]
    if (!name.endsWith(';') || character === undefined) throw new Error(`entity ${all}`)
    return character
  })
