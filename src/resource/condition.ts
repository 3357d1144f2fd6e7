/**
 * What a condition says about single columns: a disjunction of conjunctions of equalities with constants and parameters. Everything else is left out
 * of its conjunction, which makes it wider and never narrower. So rows that satisfy the condition always satisfy this.
 */

export type Operand =
  | { readonly kind: 'text'; readonly text: string }
  /** `many`: if the parameter is a list, one of its elements. */
  | { readonly kind: 'param'; readonly key: string; readonly many?: boolean }

export interface Column {
  readonly qualifier?: string
  readonly name: string
}

export interface Equality<C = Column> {
  readonly column: C
  readonly operand: Operand
}

export type Conjunction<C = Column> = readonly Equality<C>[]
export type Condition<C = Column> = readonly Conjunction<C>[]

/** True of every row, as far as we know. */
export const ANY: Condition<never> = [[]]

/** Conjunctions of one condition; a touch of more parts than this is one of the whole. */
export const MOST = 16

export function both<C>(a: Condition<C>, b: Condition<C>): Condition<C> {
  if (a.length * b.length > MOST) return a.length === 1 && a[0]!.length === 0 ? b : a
  return a.flatMap((x) => b.map((y) => [...x, ...y]))
}

export function either<C>(a: Condition<C>, b: Condition<C>): Condition<C> {
  if (a.length + b.length > MOST || [...a, ...b].some((conjunction) => conjunction.length === 0)) return ANY
  return [...a, ...b]
}

/** The same without what `keep` refuses; columns are renamed on the way. */
export function restricted<C, D>(condition: Condition<C>, keep: (column: C) => D | undefined): Condition<D> {
  return condition.map((conjunction) =>
    conjunction.flatMap(({ column, operand }) => {
      const kept = keep(column)
      return kept === undefined ? [] : [{ column: kept, operand }]
    }),
  )
}
