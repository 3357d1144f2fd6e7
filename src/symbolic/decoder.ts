/** Codes of a trace's values as values; each text is read once. */
import { NOT_OBSERVED, parseValue, type Values } from '../trace/values.ts'
import { UNKNOWN, type Known } from './known.ts'

export class Decoder {
  private readonly parsed: Known[] = []

  constructor(private readonly values: Values) {}

  valueOf(code: number): Known {
    if (code === NOT_OBSERVED || !this.values.has(code)) return UNKNOWN
    if (code < 0) return Number(this.values.textOf(code))
    if (!(code in this.parsed)) this.parsed[code] = parseValue(this.values.textOf(code))
    return this.parsed[code]!
  }
}
