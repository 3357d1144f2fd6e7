/** Declarations of variables: each name is followed by the variable of its tag. */
import { takesName, UnknownSyntax, type Node } from '../syntax.ts'
import { namesOf, patternCode, takenApart, tagging } from './patterns.ts'
import { hasTag, tagName } from './variables.ts'
import type { Writing } from './writing.ts'

/** A list of declarations: the program's, and what must follow them. */
interface Declared {
  readonly own: string
  /** With the own ones before, or for a statement of their own. */
  readonly all: string
  readonly tags: readonly string[]
}

/** `let x=1,$hd_x=0`, without a semicolon. */
export function declarationCode(w: Writing, node: Node): string {
  if (isUsing(node)) throw new UnknownSyntax(`${node['kind']} in the head of a loop`)
  return `${node['kind']} ${declarators(w, node, false).all}`
}

/** The same as a statement; `apart`: the tags may not be declared with the names, as all of these are exported. */
export function declarationStatement(w: Writing, node: Node, apart = false): string {
  if (!apart && !isUsing(node)) return `${declarationCode(w, node)};`
  const { own, tags } = declarators(w, node, true)
  return `${node['kind']} ${own};${tags.length === 0 ? '' : `${node['kind'] === 'var' ? 'var' : 'let'} ${tags.join(',')};`}`
}

const isUsing = (node: Node): boolean => /using/.test(node['kind'])

function declarators(w: Writing, node: Node, apart: boolean): Declared {
  const { temporaries } = w.frame
  const own: string[] = []
  const all: string[] = []
  const tags: string[] = []
  let at = node.start + (node['kind'] as string).length
  for (const declarator of node['declarations'] as Node[]) {
    const breaks = w.breaks(at, declarator.start)
    at = declarator.end
    const { code, after } = declaratorCode(w, declarator, apart)
    own.push(breaks + code)
    all.push(breaks + code, ...after)
    tags.push(...after)
    if (!apart) w.release(temporaries)
  }
  w.release(temporaries)
  return { own: own.join(','), all: all.join(','), tags }
}

function declaratorCode(w: Writing, declarator: Node, apart: boolean): { code: string; after: string[] } {
  const id = declarator['id'] as Node
  const init = declarator['init'] as Node | null
  if (id.type !== 'Identifier') return patternDeclarator(w, declarator, id, init!)
  const variable = w.scopes.variable(id)
  const name = w.text(id)
  if (init === null) return { code: name, after: variable !== undefined && hasTag(variable) ? [tagName(w, variable)] : [] }
  w.hint = id['name']
  const value = w.expression(init)
  const breaks = w.breaks(id.end, init.start)
  const end = w.breaks(init.end, declarator.end)
  if (variable === undefined) return { code: `${name}=${breaks}${value.code}${end}`, after: [] }
  const tracked = w.scopes.tracked(id)
  if (tracked !== undefined) {
    if (!takesName(init))
      return { code: `${name}=${w.variableCall('vw', tracked, id.start)}${breaks}${value.code}${end},${value.tag})`, after: [] }
    return { code: `${name}=${breaks}${value.code}${end}`, after: [tagging(w, id, () => '0', true)] }
  }
  if (!hasTag(variable)) return { code: `${name}=${breaks}${value.code}${end}`, after: [] }
  if (!apart || value.tag !== w.reg)
    return { code: `${name}=${breaks}${value.code}${end}`, after: [`${tagName(w, variable)}=${value.tag}`] }
  const tag = w.temporary()
  return { code: `${name}=${w.call('p')}${breaks}${value.code}${end},${tag}=${value.tag})`, after: [`${tagName(w, variable)}=${tag}`] }
}

function patternDeclarator(w: Writing, declarator: Node, id: Node, init: Node): { code: string; after: string[] } {
  const names = namesOf(id)
  const variables = names.map((bound) => w.scopes.variable(bound.id))
  const { code, taken } = w.withoutTags(variables, () => {
    const value = w.expression(init)
    const parts = takenApart(w, id, value, w.breaks(id.end, init.start))
    return { code: `${patternCode(w, id)}=${parts.code}${w.breaks(init.end, declarator.end)}`, taken: parts }
  })
  return { code, after: names.map((bound) => tagging(w, bound.id, () => taken.tag(bound), true)).filter((text) => text !== '') }
}
