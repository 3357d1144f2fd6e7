/** Loops. The tag of what for-of gives to its variable is set at the begin of the body; the keys of for-in are not followed. */
import type { Node } from '../syntax.ts'
import { declarationCode } from './declarations.ts'
import { decided } from './decided.ts'
import { namesOf, patternCode, tagging, takenApart } from './patterns.ts'
import { tagName } from './variables.ts'
import type { Writing, Written } from './writing.ts'

export function whileCode(w: Writing, node: Node): string {
  const { test, body } = node as Node & { test: Node; body: Node }
  return `while(${w.breaks(node.start, test.start)}${decided(w, test, 'loop')}${w.breaks(test.end, body.start)})${w.statement(body)}`
}

export function doWhileCode(w: Writing, node: Node): string {
  const { test, body } = node as Node & { test: Node; body: Node }
  const before = `do ${w.breaks(node.start, body.start)}${w.statement(body)}${w.breaks(body.end, test.start)}`
  return `${before}while(${decided(w, test, 'loop')}${w.breaks(test.end, node.end)});`
}

export function forCode(w: Writing, node: Node): string {
  const { init, test, update, body } = node as Node & { init: Node | null; test: Node | null; update: Node | null; body: Node }
  let at = node.start
  const part = (child: Node | null, write: (child: Node) => string): string => {
    if (child === null) return ''
    const code = w.breaks(at, child.start) + write(child)
    at = child.end
    return code
  }
  const first = part(init, (child) => (child.type === 'VariableDeclaration' ? declarationCode(w, child) : w.effect(child)))
  const second = part(test, (child) => decided(w, child, 'loop'))
  const third = part(update, (child) => w.effect(child))
  return `for(${first};${second};${third}${w.breaks(at, body.start)})${w.statement(body)}`
}

export function forEachCode(w: Writing, node: Node): string {
  const left = node['left'] as Node
  const body = node['body'] as Node
  const right = node['right'] as Node
  const { temporaries } = w.frame
  const head = headOf(w, node)
  const begin = head.begin()
  const inside = w.statement(body)
  w.release(temporaries)
  const gap = w.breaks(right.end, body.start)
  const start = `for${node['await'] ? ' await' : ''}(${w.breaks(node.start, left.start)}${head.target} ${node.type === 'ForInStatement' ? 'in' : 'of'} ${head.list}${gap})`
  return `${start}${begin === '' ? inside : `{${begin}${inside}}`}`
}

interface Head {
  readonly target: string
  readonly list: string
  /** What the body begins with. */
  begin(): string
}

function headOf(w: Writing, node: Node): Head {
  const left = node['left'] as Node
  const declared = left.type === 'VariableDeclaration'
  const pattern = (declared ? left['declarations'][0].id : left) as Node
  const init = (declared ? left['declarations'][0].init : null) as Node | null
  const names = namesOf(pattern)
  const hidden = declared ? names.map(({ id }) => w.scopes.variable(id)) : []
  const between = w.breaks(left.start, pattern.start)
  const apart = declared && pattern.type !== 'Identifier' && node.type === 'ForOfStatement'
  const element = apart ? `${w.hooks}e` : undefined
  const target = w.withoutTags(hidden, () => {
    if (element !== undefined) return `const ${element}`
    // `for (async of` is no loop.
    if (!declared && pattern.type === 'Identifier') return `(${w.text(pattern)})`
    // Sloppy code may initialise here: `for (var i = 0 in o)`.
    const initial = init === null ? '' : `=${w.breaks(pattern.end, init.start)}${w.expression(init).code}`
    return `${declared ? `${left['kind']} ` : ''}${between}${patternCode(w, pattern)}${initial}`
  })
  const { list, tag } = w.withoutTags(hidden, () => iterated(w, node, w.breaks((init ?? pattern).end, node['right'].start)))
  const kind = left['kind'] === 'var' ? 'var' : 'let'
  return {
    target,
    list,
    begin() {
      if (element !== undefined) return `${takenElement(w, left['kind'], pattern, { code: element, tag: tag(element, pattern) }, between)};`
      const inBody = { declared: [] as string[], written: [] as string[] }
      for (const { id } of names) {
        const variable = w.scopes.variable(id)
        const text = tagging(w, id, () => (id === pattern ? tag(w.text(id), id) : w.opaqueTag(w.text(id))), declared)
        if (text === '' || variable === undefined) continue
        if (!declared) inBody.written.push(text)
        else if (variable.index >= 0) inBody.written.push(text.slice(`${tagName(w, variable)}=`.length))
        else inBody.declared.push(text)
      }
      const first = inBody.declared.length === 0 ? '' : `${kind} ${inBody.declared.join(',')};`
      return first + inBody.written.map((text) => `${text};`).join('')
    },
  }
}

/** A pattern is taken out of the head into the body, where its parts can be followed. */
function takenElement(w: Writing, kind: string, pattern: Node, element: Written, breaks: string): string {
  const names = namesOf(pattern)
  const variables = names.map(({ id }) => w.scopes.variable(id))
  const { temporaries } = w.frame
  const { code, taken } = w.withoutTags(variables, () => {
    const parts = takenApart(w, pattern, element, breaks)
    return { code: `${kind} ${patternCode(w, pattern)}=${parts.code}`, taken: parts }
  })
  const tags = names.map((bound) => tagging(w, bound.id, () => taken.tag(bound), true)).filter((text) => text !== '')
  w.release(temporaries)
  return [code, ...tags].join(',')
}

/** What a loop goes over, and the tag of what it gives: `($t1=$hd.Q(list,tag,7),$t2=$hdT.t,$t3=0,$t1)` and `$hd.Xi($t1,$t2,$t3++,x,8)`. */
function iterated(w: Writing, node: Node, breaks: string): { list: string; tag: (name: string, at: Node) => string } {
  const right = node['right'] as Node
  const { code, tag } = w.expression(right)
  const isIn = node.type === 'ForInStatement'
  const list = `${w.call(isIn ? 'Qo' : 'Q')}${breaks}${code},${tag},${w.site(right.start)})`
  if (isIn || node['await']) return { list, tag: (name) => w.opaqueTag(name) }
  const [over, tags, index] = [w.temporary(), w.temporary(), w.temporary()]
  return {
    list: `(${over}=${list},${tags}=${w.reg},${index}=0,${over})`,
    tag: (name, at) => `${w.call('Xi')}${over},${tags},${index}++,${name},${w.site(at.start)})`,
  }
}
