/** How long something may take: a time (`90s`, `5m`, `1h`), or a multiple of what something else took (`3x`). */
export type Allowance = { readonly ms: number } | { readonly times: number }

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** Undefined for what is neither. */
export function allowanceOf(text: string): Allowance | undefined {
  const [, number, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(x|s|m|h)$/.exec(text) ?? []
  if (number === undefined || Number(number) === 0) return undefined
  return unit === 'x' ? { times: Number(number) } : { ms: Number(number) * UNITS[unit!]! }
}

export const allowedMs = (allowance: Allowance, ofMs: number): number => ('ms' in allowance ? allowance.ms : allowance.times * ofMs)
