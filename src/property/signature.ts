/**
 * Signatures as AspectJ has them: `Iterator Collection+.iterator()`, `* Map+.remove(Object, ..)`, `Foo.new(..)`, `* TableDescriptor.columns`. A trace has names and
 * values. So modifiers, and types of results, fields and arguments are read and not compared, and classes lose their package.
 */
import type { ClassPattern } from './ast.ts'
import { readClass } from './call-text.ts'
import { badSignature, expected, moreNotLast, negatedPointcut, notClosed, packageOnly } from './errors.ts'
import { Stop, type Scanner } from './scan.ts'

export interface Signature {
  /** Undefined: any class. */
  readonly owner: ClassPattern | undefined
  readonly name: string
  readonly args: Arguments
}

export interface Arguments {
  readonly count: number
  /** `..` at the end: more may follow. */
  readonly more: boolean
}

const MODIFIERS = new Set('public private protected static final synchronized abstract native transient volatile strictfp'.split(' '))
/** `java.util..Map.Entry+`, `*..Foo+.bar*`. */
const NAME = /[\p{ID_Start}_$*][\p{ID_Continue}$*]*\+?(?:\.{1,2}[\p{ID_Start}_$*][\p{ID_Continue}$*]*\+?)*/uy
const AFTER_TYPE = /\[\s*\]|\.\.\./y
const IN_BRACKETS = /[^<>(){};]+/y

export function readMethod(scanner: Scanner): Signature {
  return { ...readName(scanner), args: readArguments(scanner) }
}

export function readField(scanner: Scanner): Signature {
  return { ...readName(scanner), args: { count: 0, more: true } }
}

/** A type with its package and its `+`, without what is generic, and without brackets. */
export function readType(scanner: Scanner, what = 'a type'): string {
  const name = scanner.piece(NAME)
  if (name === undefined) throw scanner.unexpected(what)
  skipGenerics(scanner)
  while (scanner.piece(AFTER_TYPE) !== undefined);
  return name
}

function skipGenerics(scanner: Scanner): void {
  const at = scanner.position()
  let depth = 0
  do {
    if (scanner.accept('<')) depth++
    else if (scanner.accept('>')) depth--
    else if (depth > 0 && scanner.piece(IN_BRACKETS) === undefined) throw new Stop(notClosed(at, 'type', '>'))
  } while (depth > 0)
}

/** `java.util.Map.Entry` is `Map.Entry`: what begins with a small letter is a package. Undefined where nothing but a package is left. */
export function simpleClass(type: string): string | undefined {
  const parts = type.split('.')
  const begin = Math.min(parts.findIndex((part) => !/^(?:\*?|\p{Ll}.*)$/u.test(part)) >>> 0, parts.length - 1)
  const simple = parts.slice(begin)
  const inPackage = parts.slice(0, begin).some((part) => part !== '*' && part !== '')
  return simple.includes('') || (inPackage && /^\*\+?$/.test(simple.at(-1)!)) ? undefined : simple.join('.')
}

/** What stands before the arguments: modifiers, a type, and the name with its class. The type may be missing: `m()`, `Foo.new()`. */
function readName(scanner: Scanner): Pick<Signature, 'owner' | 'name'> {
  const words: { readonly text: string; readonly offset: number }[] = []
  do {
    const { offset } = scanner
    if (scanner.symbol() === '!') throw new Stop(negatedPointcut(scanner.position(), 'a modifier'))
    const text = readType(scanner, 'a type or a name')
    if (!MODIFIERS.has(text)) words.push({ text, offset })
  } while (scanner.symbol() !== '(' && scanner.symbol() !== ')' && words.length < 2)
  const last = words.at(-1)
  if (!last) throw new Stop(expected(scanner.position(), 'a name', scanner.symbol() ?? 'something else'))
  return split(last.text, scanner, last.offset)
}

function split(text: string, scanner: Scanner, offset: number): Pick<Signature, 'owner' | 'name'> {
  const at = scanner.position(offset)
  const dot = text.lastIndexOf('.')
  const name = text.slice(dot + 1)
  if (name.endsWith('+') || text[dot - 1] === '.') throw new Stop(badSignature(at, text))
  if (dot < 0) return { owner: undefined, name }
  const type = text.slice(0, dot)
  if (type.slice(0, -1).includes('+')) throw new Stop(badSignature(at, text))
  return { owner: classOfType(type, at), name }
}

/** Undefined for `*`, which is any. */
export function classOfType(type: string, at: ReturnType<Scanner['position']>): ClassPattern | undefined {
  const simple = simpleClass(type)
  if (simple === undefined) throw new Stop(packageOnly(at, type))
  const made = readClass(simple)
  return made.name === '*' ? undefined : made
}

function readArguments(scanner: Scanner): Arguments {
  scanner.expect('(')
  let count = 0
  if (scanner.accept(')')) return { count, more: false }
  do {
    if (scanner.accept('..')) {
      if (scanner.symbol() === ',') throw new Stop(moreNotLast(scanner.position()))
      scanner.expect(')')
      return { count, more: true }
    }
    readType(scanner, 'the type of an argument')
    // The paper prints a name behind it: `createTable(Connection conn, String table)`.
    if (scanner.word() !== undefined) scanner.anyWord('a name')
    count++
  } while (scanner.accept(','))
  scanner.expect(')')
  return { count, more: false }
}
