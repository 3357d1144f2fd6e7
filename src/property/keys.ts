/** Numbers for tuples of codes of values, the same tuple the same number: what hash tables of bindings are keyed by, without a string or an object for each. */
const HALF = 2 ** 26
const DIRECT = 2 ** 24

export class Keys {
  private readonly codes = new Map<number, number>()
  private readonly pairs = new Map<number, number>()

  /** The key of the values that `binding` has for these parameters. Keys are to be compared only for equal parameters. */
  of(parameters: readonly number[], binding: ArrayLike<number>): number {
    const count = parameters.length
    if (count === 0) return 0
    if (count === 1) return binding[parameters[0]!]!
    let key = this.small(binding[parameters[0]!]!) * HALF + this.small(binding[parameters[1]!]!)
    for (let i = 2; i < count; i++) key = this.interned(key) * HALF + this.small(binding[parameters[i]!]!)
    return key
  }

  /** Codes of table entries as they are, the others numbered as they come: two of them fit into the 53 bits of a number. */
  private small(code: number): number {
    if (code > 0 && code < DIRECT) return 2 * code
    let id = this.codes.get(code)
    if (id === undefined) this.codes.set(code, (id = this.codes.size))
    return 2 * id + 1
  }

  private interned(key: number): number {
    let id = this.pairs.get(key)
    if (id === undefined) this.pairs.set(key, (id = this.pairs.size))
    return id
  }
}
