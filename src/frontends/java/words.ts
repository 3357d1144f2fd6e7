/** Values of accesses: from the 64 bits of a record to the code that the trace has for them. Equal bits of one type, equal codes. */
import type { Value, Values } from '../../trace/values.ts'
import type { JavaNames } from './names.ts'
import type { Tables } from './tables.ts'

const bits = new DataView(new ArrayBuffer(8))

export class Words {
  constructor(
    private readonly values: Values,
    private readonly names: JavaNames,
    private readonly texts: Tables['texts'] = new Map(),
  ) {}

  /** `desc`: the type of the place, as the JVM writes it. */
  code(lo: number, hi: number, desc: string): number {
    switch (desc[0]) {
      case 'Z':
        return this.values.codeOf(lo !== 0)
      case 'B':
      case 'C':
      case 'S':
      case 'I':
        return this.values.codeOf(lo | 0)
      case 'J':
        return this.values.codeOf(long(lo, hi))
      case 'F':
        bits.setUint32(0, lo)
        return this.values.codeOf(bits.getFloat32(0))
      case 'D':
        bits.setUint32(0, hi)
        bits.setUint32(4, lo)
        return this.values.codeOf(bits.getFloat64(0))
      default:
        return this.values.codeOf(this.reference(lo, hi))
    }
  }

  private reference(lo: number, hi: number): Value {
    if (hi === 0) return lo === 0 ? null : { object: this.names.object(lo) }
    const kind = hi & KIND
    const word = `${hi.toString(16)}${lo.toString(16).padStart(8, '0')}`
    if (kind === TEXT) return this.texts.get(word) ?? { object: `text ${word}` }
    if (hi === WHOLE) return lo | 0
    if (hi === (WHOLE | 2)) return lo !== 0
    return { object: `value ${word}` }
  }
}

/** As Words.java makes them: strings and boxes go by what is in them. */
const KIND = 0x60000000
const TEXT = 0x40000000
const WHOLE = 0x60000000

function long(lo: number, hi: number): Value {
  const n = (hi | 0) * 2 ** 32 + lo
  return Number.isSafeInteger(n) ? n : (BigInt(hi | 0) << 32n) | BigInt(lo)
}
