/**
 * Function.prototype.toString gives the original source, not the instrumented code: text that is evaluated elsewhere (another context, a browser, a
 * worker) must not contain Heddle's hooks. A text with hooks is looked up in the instrumented modules. That gives the position in the source, and the
 * parser says where the function ends.
 */
import { HOOKS } from '../../../instrument/hooks.ts'
import { parseExpression, parseSource, type Kind, type Node } from '../../../instrument/syntax.ts'
import { unseen } from '../core.ts'
import { replace } from '../replace.ts'

export interface Texts {
  readonly source: string
  readonly code: string
  readonly kind: Kind
  column(line: number, column: number): number
}

type Find = () => Texts | undefined

const modules: (Find | Texts)[] = []
/** By the text of the code that runs. */
const known = new Map<string, string>()
/** Where functions and classes begin in a source, and where they end. */
const ends = new WeakMap<Texts, Map<number, number>>()
const MOST_KNOWN = 10_000

/** `find` is asked when the text of some function is wanted. */
export function noteTexts(find: Find): void {
  modules.push(find)
}

export function giveOriginalTexts(): void {
  const text = Function.prototype.toString
  const original = function (this: unknown): string {
    if (this === original) return Reflect.apply(text, text, [])
    const code = Reflect.apply(text, this, []) as string
    return code.includes(HOOKS) ? (known.get(code) ?? unseen(() => lookUp(code))) : code
  }
  replace(Function.prototype, 'toString', original)
}

function lookUp(code: string): string {
  let found = code
  try {
    for (let i = modules.length - 1; i >= 0; i--) {
      const module = textsOf(i)
      const at = module === undefined ? -1 : module.code.indexOf(code)
      if (at < 0) continue
      found = inSource(module!, at) ?? code
      // The next one asked for is likely to be of the same module.
      modules.push(...modules.splice(i, 1))
      break
    }
  } catch {
    // As it was without this: the hooks are there, and do nothing elsewhere.
  }
  if (known.size < MOST_KNOWN) known.set(code, found)
  return found
}

function textsOf(i: number): Texts | undefined {
  const module = modules[i]!
  if (typeof module !== 'function') return module
  const texts = module()
  if (texts !== undefined) modules[i] = texts
  return texts
}

function inSource(module: Texts, at: number): string | undefined {
  const { source, code } = module
  const before = code.slice(0, at)
  const line = before.split('\n').length
  const column = module.column(line, at - before.lastIndexOf('\n'))
  let start = column - 1
  for (let lines = 1, i = 0; lines < line; lines++) {
    i = source.indexOf('\n', i) + 1
    if (i === 0) return undefined
    if (lines === line - 1) start += i
  }
  const end = endOfExpression(module, start) ?? endInModule(module, start)
  return end === undefined ? undefined : source.slice(start, end)
}

/** Most functions are read by themselves: to parse a large module for one of them takes long. */
function endOfExpression({ source, kind }: Texts, start: number): number | undefined {
  try {
    const waiting: unknown[] = [parseExpression(source, start, kind)]
    // It may be the first part of a larger one.
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (node === null || typeof node !== 'object') continue
      const { type, start: at, end } = node as Node
      if (at === start && WITH_TEXT.has(type)) return end
      if (at === start || Array.isArray(node)) waiting.push(...Object.values(node))
    }
  } catch {
    // A method, for instance: it is no expression.
  }
  return undefined
}

function endInModule(module: Texts, start: number): number | undefined {
  let places = ends.get(module)
  if (places === undefined) ends.set(module, (places = placesOf(parseSource(module.source, module.kind), module.source)))
  return places.get(start)
}

const WITH_TEXT = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'ClassDeclaration', 'ClassExpression'])

function placesOf(program: Node, source: string): Map<number, number> {
  const places = new Map<number, number>()
  const waiting: unknown[] = [program]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node === null || typeof node !== 'object') continue
    if (Array.isArray(node)) {
      waiting.push(...node)
      continue
    }
    const { type, start, end, method, kind } = node as Node
    if (WITH_TEXT.has(type)) places.set(start, end)
    // The text of a method begins with its name, or with what stands before that; `static` is the class's.
    else if (type === 'MethodDefinition' || (type === 'Property' && (method || kind !== 'init')))
      places.set(start + (/^static\s+(?![(=;}])/.exec(source.slice(start, start + 100))?.[0].length ?? 0), end)
    waiting.push(...Object.values(node))
  }
  return places
}
