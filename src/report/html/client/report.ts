/** The report as the client reads it: the list at once, a finding and its picture when they are opened. */
import type { CheckDocument, FindingDocument } from '../../document.ts'
import type { Picture } from '../../../picture/picture.ts'
import { lineIn } from '../../excerpt-line.ts'
import { entriesOf, type Entry } from '../entry.ts'

export type Head = Omit<CheckDocument, 'findings' | 'sources'>

export interface Report {
  readonly head: Head
  readonly entries: readonly Entry[]
  /** The n-th of `entries`; undefined while the file is still being read. */
  finding(n: number): FindingDocument | undefined
  picture(n: number): Picture | undefined
  sources(): CheckDocument['sources']
}

/** What is in the page. */
export function embeddedReport(): Report {
  const parse = <T>(id: string): T | undefined => {
    const text = document.getElementById(id)?.textContent
    return text ? (JSON.parse(text) as T) : undefined
  }
  return {
    head: parse<Head>('head')!,
    entries: parse<Entry[]>('entries')!,
    finding: (n) => parse(`finding-${n}`),
    picture: (n) => parse(`picture-${n}`),
    sources: () => parse('sources') ?? {},
  }
}

/** What `heddle open` sends when there are new findings. */
export function fetchedReport({ findings, sources, ...head }: CheckDocument): Report {
  return {
    head,
    entries: entriesOf(findings, lineIn({ sources })),
    finding: (n) => findings[n],
    picture: (n) => findings[n]?.picture,
    sources: () => sources,
  }
}
