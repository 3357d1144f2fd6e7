/** Values of accesses: from the 64 bits of a record to the code that the trace has for them. Equal bits, equal codes. */
import { Values, type Value } from '../../trace/values.ts'

/** Whole numbers in this range have a code that needs no table. */
const SMALL = 2 ** 30 - 2

export class Words {
  /** By the value, where it is exact as a number. */
  private readonly known = new Map<number, number>()
  private readonly wide = new Map<bigint, number>()

  constructor(private readonly values: Values) {}

  /** `log`: log2 of the size. */
  code(lo: number, hi: number, log: number): number {
    if (log < 3) return this.number(log === 0 ? lo & 0xff : log === 1 ? (lo << 16) >> 16 : lo | 0)
    if (hi === 0 && lo < 2 ** 31) return this.number(lo)
    if (hi === 0xffffffff && lo >= 2 ** 31) return this.number(lo | 0)
    if (hi >= 2 ** 21) {
      const wide = (BigInt(hi) << 32n) | BigInt(lo)
      let code = this.wide.get(wide)
      if (code === undefined) this.wide.set(wide, (code = this.values.codeOf(signed(wide))))
      return code
    }
    const exact = hi * 2 ** 32 + lo
    let code = this.known.get(exact)
    if (code === undefined) this.known.set(exact, (code = this.values.codeOf(asRead(exact))))
    return code
  }

  private number(n: number): number {
    if (n > -SMALL && n < SMALL) return this.values.codeOf(n)
    let code = this.known.get(n)
    if (code === undefined) this.known.set(n, (code = this.values.codeOf(n)))
    return code
  }
}

/** What can be a pointer is written as one. */
const asRead = (n: number): Value => (n >= 2 ** 32 && n < 2 ** 47 ? { object: `0x${n.toString(16)}` } : n)

function signed(wide: bigint): Value {
  const n = BigInt.asIntN(64, wide)
  return n >= BigInt(Number.MIN_SAFE_INTEGER) && n <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(n) : n
}
