/**
 * Expressions as SMT-LIB terms for Z3 (seed 002, section 4.3). What Z3 is not to decide (products of unknowns, fractions, texts, native code) is replaced
 * by its recorded value, and the inputs it depends on are **pinned**: they keep their recorded values. Terms are right only where their **guards** hold:
 * that operands are whole numbers, for one. So whoever uses a term also asserts what it `needs`; that leaves out runs, and adds none.
 *
 * Shared parts have names: send SMT_PRELUDE, declare the inputs (sort Int), send `definitions()`, then use the terms.
 */
import { AT, CONST, INPUT, type Expressions, type Node } from './expressions.ts'
import { InputSets } from './input-sets.ts'
import { UNKNOWN } from './known.ts'
import { outcomeFor } from './outcome.ts'
import { asBool, asValue, OperandTerms, type Term } from './smt-operands.ts'
import { ENCODE } from './smt-operators.ts'
import { ABSENT_CODE, isWhole, UNDEFINED_CODE, ValueCodes } from './smt-values.ts'
import type { Value } from '../trace/values.ts'

export { SMT_PRELUDE, ValueCodes } from './smt-values.ts'

export interface Needs {
  /** Terms of sort Bool. */
  readonly guards: string[]
  /** Keys of inputs that keep their recorded values, in growing order. */
  readonly pins: number[]
}

/** A term of sort Bool with what it needs. */
export interface Kept extends Needs {
  readonly text: string
}

export class Terms {
  /** All inputs that were pinned so far, by key. */
  readonly pins = new Set<number>()
  private readonly terms = new Map<Node, Term>()
  private readonly inputSets: InputSets
  private readonly text: string[] = []

  /** Names of definitions begin with `prefix`: expressions of several threads may go into one text. So may `codes`. */
  constructor(
    private readonly expressions: Expressions,
    private readonly nameOfInput: (key: number) => string,
    private readonly prefix = 'n',
    readonly codes = new ValueCodes(),
  ) {
    this.inputSets = new InputSets(expressions)
  }

  /** Is the value true, as a branch sees it? */
  bool(node: Node): string {
    return asBool(this.term(node))
  }

  value(node: Node): string {
    return asValue(this.term(node))
  }

  /** Does a branch of this kind come out as recorded? Where that is not for Z3 (`throws`, values that were not observed) it does, and its inputs are pinned. */
  keeps(kind: string, node: Node): Kept {
    const recorded = this.expressions.recordedOf(node)
    if (kind === 'throws' || recorded === UNKNOWN) {
      const pins = Array.from(this.inputSets.of(node))
      for (const key of pins) this.pins.add(key)
      return { text: 'true', guards: [], pins }
    }
    return { text: this.keptBy(kind, node, recorded), ...this.needs(node) }
  }

  /** The term of a value. */
  constant(value: Value): string {
    return this.codes.termOf(value)
  }

  /** What must hold for the terms of these nodes to be right. */
  needs(...nodes: Node[]): Needs {
    const guards = new Set<string>()
    const pins = new Set<number>()
    const seen = new Set<Node>()
    const stack = [...nodes]
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (seen.has(node)) continue
      seen.add(node)
      const term = this.term(node)
      for (const guard of term.guards ?? []) guards.add(guard)
      for (const pinned of term.pinned) for (const key of this.inputSets.of(pinned)) pins.add(key)
      stack.push(...term.below)
    }
    return { guards: [...guards], pins: [...pins].sort((a, b) => a - b) }
  }

  /** What terms refer to by name and was not given out before. */
  definitions(): string {
    return this.text.splice(0).join('\n')
  }

  private term(root: Node): Term {
    const known = this.terms.get(root)
    if (known) return known
    const { expressions, terms } = this
    const stack = [root]
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!
      const before = stack.length
      // What has no entry is replaced as a whole: its operands need no terms.
      if (!terms.has(node) && (ENCODE.has(expressions.nameOf(node)) || expressions.operatorOf(node) === AT)) {
        for (const operand of expressions.operandsOf(node)) if (!terms.has(operand)) stack.push(operand)
      }
      if (stack.length > before) continue
      stack.pop()
      if (!terms.has(node)) terms.set(node, this.named(node, this.encode(node)))
    }
    return terms.get(root)!
  }

  private encode(node: Node): Term {
    const { expressions } = this
    const recorded = expressions.recordedOf(node)
    switch (expressions.operatorOf(node)) {
      case INPUT:
        return { text: this.nameOfInput(expressions.keyOf(node)), sort: 'Int', below: [], pinned: [] }
      case CONST:
        return {
          text: recorded === UNKNOWN ? ABSENT_CODE : this.codes.termOf(recorded),
          sort: 'Int',
          isWhole: isWhole(recorded),
          below: [],
          pinned: [],
        }
      case AT: {
        const [element, contents] = expressions.operandsOf(node)
        if (element === undefined || contents === undefined) return this.replaced(node)
        return this.pinning({ ...this.terms.get(element)!, guards: [], below: [element], pinned: [contents] })
      }
    }
    const encode = ENCODE.get(expressions.nameOf(node))
    if (!encode) return this.replaced(node)
    const operands = new OperandTerms(node, expressions, this.terms, this.codes, this.inputSets)
    const encoded = encode(operands)
    // Guards must hold in the recorded run, or no run would be left.
    if (!encoded || (encoded.isWhole && !isWhole(recorded))) return this.replaced(node)
    const below = Array.from(expressions.operandsOf(node)).filter((operand) => !operands.fixed.includes(operand))
    return this.pinning({ ...encoded, below, pinned: operands.fixed })
  }

  /** Recorded values instead. One that was not observed is right for nobody. */
  private replaced(node: Node): Term {
    const recorded = this.expressions.recordedOf(node)
    const none = recorded === UNKNOWN
    const text = none ? UNDEFINED_CODE : this.codes.termOf(recorded)
    return this.pinning({ text, sort: 'Int', guards: none ? ['false'] : [], isWhole: isWhole(recorded), below: [], pinned: [node] })
  }

  private pinning(term: Term): Term {
    for (const node of term.pinned) for (const key of this.inputSets.of(node)) this.pins.add(key)
    return term
  }

  private keptBy(kind: string, node: Node, recorded: Value): string {
    if (kind === 'receiver' || kind === 'callee' || kind === 'index') return `(= ${this.value(node)} ${this.codes.termOf(recorded)})`
    const now = kind === '??' || kind === '?.' ? `(hd_nullish ${this.value(node)})` : this.bool(node)
    return outcomeFor(kind, recorded) === true ? now : `(not ${now})`
  }

  private named(node: Node, term: Term): Term {
    if (!term.text.startsWith('(') || term.text.startsWith('(- ')) return term
    const name = `${this.prefix}${node}`
    this.text.push(`(define-fun ${name} () ${term.sort} ${term.text})`)
    // Guards were written with the long form.
    return { ...term, text: name, guards: (term.guards ?? []).map((guard) => guard.replaceAll(term.text, name)) }
  }
}
