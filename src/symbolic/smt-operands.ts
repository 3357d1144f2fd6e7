/** Terms of nodes, and the operands of a node as smt-operators.ts looks at them. */
import { CONST, type Expressions, type Node } from './expressions.ts'
import type { InputSets } from './input-sets.ts'
import { knownOf, UNKNOWN, type Known } from './known.ts'
import type { Encoded, Operands } from './smt-operators.ts'
import { FALSE_CODE, isSimple, isWhole, NULL_CODE, TRUE_CODE, UNDEFINED_CODE, ValueCodes } from './smt-values.ts'
import type { Value } from '../trace/values.ts'

export interface Term extends Encoded {
  /** Their guards and pins are also this one's. */
  readonly below: readonly Node[]
  /** All inputs of these nodes are pinned. */
  readonly pinned: readonly Node[]
}

export const asValue = (term: Term): string => {
  if (term.sort === 'Int') return term.text
  return term.text === 'true' ? TRUE_CODE : term.text === 'false' ? FALSE_CODE : `(hd_value ${term.text})`
}

export function asBool(term: Term): string {
  if (term.sort === 'Bool') return term.text
  if (!/^\d+$/.test(term.text)) return term.isWhole ? `(not (= ${term.text} 0))` : `(hd_truthy ${term.text})`
  return FALSY.has(term.text) ? 'false' : 'true'
}

const codes = new ValueCodes()
const FALSY = new Set([FALSE_CODE, UNDEFINED_CODE, NULL_CODE, ...[0, NaN, '', 0n].map((value) => codes.termOf(value))])

const isNothing = (value: Known): boolean => value === null || value === undefined

/** A constant that is 1 or 0 as a number. */
const isSmall = (value: Value): boolean => typeof value === 'boolean' || value === null

export class OperandTerms implements Operands {
  readonly count: number
  readonly fixed: Node[] = []

  constructor(
    readonly node: Node,
    private readonly expressions: Expressions,
    private readonly terms: ReadonlyMap<Node, Term>,
    private readonly codes: ValueCodes,
    private readonly inputSets: InputSets,
  ) {
    this.count = expressions.operandCount(node)
  }

  value(i: number): string {
    return asValue(this.of(i))
  }

  bool(i: number): string {
    return asBool(this.of(i))
  }

  number(i: number): string {
    const { sort, text } = this.of(i)
    if (sort === 'Bool') return `(ite ${text} 1 0)`
    const constant = this.constant(i)
    return constant && isSmall(constant.value) ? String(Number(constant.value)) : text
  }

  isWhole(i: number): boolean {
    const { sort, isWhole } = this.of(i)
    return isWhole === true || sort === 'Bool' || isSmall(this.constant(i)?.value)
  }

  wasWhole(i: number): boolean {
    return this.of(i).sort === 'Bool' || isWhole(this.recorded(i)) || isSmall(this.constant(i)?.value)
  }

  wereAlike(): boolean {
    const a: Known = this.recorded(0)
    const b: Known = this.recorded(1)
    return isNothing(a) || isNothing(b) || typeof a === typeof b
  }

  wasSimple(i: number): boolean {
    return isSimple(this.recorded(i))
  }

  constant(i: number): { readonly value: Value } | undefined {
    const value = knownOf(this.recorded(i))
    return this.expressions.operatorOf(this.operand(i)) === CONST && value !== UNKNOWN ? { value } : undefined
  }

  fix(i: number): number {
    const node = this.operand(i)
    if (this.freedom(i) > 0) this.fixed.push(node)
    return this.was(i)
  }

  was(i: number): number {
    return Number(this.recorded(i))
  }

  freedom(i: number): number {
    return this.inputSets.of(this.operand(i)).length
  }

  term(value: Value): string {
    return this.codes.termOf(value)
  }

  private of(i: number): Term {
    return this.terms.get(this.operand(i))!
  }

  private operand(i: number): Node {
    return this.expressions.operandAt(this.node, i)
  }

  private recorded(i: number): Known {
    return this.expressions.recordedOf(this.operand(i))
  }
}
