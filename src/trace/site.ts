/** Sites as text: `file:line:column function`. Native code has no columns. */

/** A place in the source a program was written in. */
export interface SourcePlace {
  readonly file: string
  readonly line: number
  /** From 1; 0 where it is not known. */
  readonly column: number
}

/** The same with the function it is in; empty where that has no name. */
export interface SitePlace extends SourcePlace {
  readonly name: string
}

export function placeOf(site: string): SitePlace | undefined {
  const parts = /^(.*?):(\d+)(?::(\d+))?(?: (.*))?$/s.exec(site)
  return parts ? { file: parts[1]!, line: Number(parts[2]), column: Number(parts[3] ?? 0), name: parts[4] ?? '' } : undefined
}
