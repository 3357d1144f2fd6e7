/** What a word in `target(…)` or `args(…)` of an advice is: a name that the advice or its property declares, or a type. */
import { closest } from '../base/closest.ts'
import type { ArgumentPlace, ClassPattern, Condition, Parameter, Position } from './ast.ts'
import { namesIn } from './conditions.ts'
import { unknownName } from './errors.ts'
import { Stop } from './scan.ts'
import { classOfType } from './signature.ts'
import type { Word } from './pointcut.ts'

const PRIMITIVES = new Set('boolean byte char short int long float double void'.split(' '))

export class AdviceNames {
  private readonly declared: ReadonlyMap<string, Parameter>
  /** A name that is none of these stands for any value. */
  private readonly used: ReadonlySet<string>

  constructor(
    parameters: readonly Parameter[],
    formals: readonly Parameter[],
    condition: Condition | undefined,
    private readonly positions: Map<object, Position>,
  ) {
    this.declared = new Map([...parameters, ...formals].map((parameter) => [parameter.name, parameter]))
    this.used = new Set([...parameters.map(({ name }) => name), ...(condition ? namesIn(condition) : [])])
  }

  place({ text, at }: Word): ArgumentPlace {
    if (!this.isName({ text, at }) || !this.used.has(text)) return { kind: 'any' }
    const made = { kind: 'name', name: text } as const
    this.positions.set(made, at)
    return made
  }

  /** The type that a value in this place has; undefined where it may have any. */
  classOf(word: Word): ClassPattern | undefined {
    const type = this.isName(word) ? this.declared.get(word.text)!.type : word.text
    return type === '' || type === 'Object' ? undefined : classOfType(type, word.at)
  }

  /** What is neither declared nor a type by its looks is misspelt. */
  private isName({ text, at }: Word): boolean {
    if (this.declared.has(text)) return true
    if (/^[\p{Ll}_$][\p{ID_Continue}$]*$/u.test(text) && !PRIMITIVES.has(text))
      throw new Stop(unknownName(at, text, closest(text, [...this.declared.keys()])))
    return false
  }
}
