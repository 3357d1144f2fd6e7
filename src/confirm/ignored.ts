/**
 * Findings that the user accepts, by id and with a reason: lines of `.heddle/ignore`, which is meant to be committed, and comments `heddle-ignore ID:
 * reason` in the files that a finding names. They are replayed and shown as IGNORED, and do not fail the build. A line of the file may have an expiry
 * date.
 */
import { sourceText } from '../base/source-file.ts'
import { badIgnoreLine } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { placeOf } from '../trace/site.ts'
import type { Saved } from '../schedule/saved.ts'
import type { Finding } from './confirm.ts'

interface Ignored {
  /** The first digits are enough, as everywhere. */
  readonly id: string
  readonly reason: string
  /** The last day, `2027-01-31`. */
  readonly until?: string | undefined
}

const ID = '[0-9a-f]{8,16}'
const LINE = new RegExp(`^(${ID})(?:\\s+until\\s+(\\d{4}-\\d{2}-\\d{2}))?\\s*:\\s*(\\S.*)$`, 'i')
const COMMENT = new RegExp(`\\bheddle-ignore\\s+(${ID})\\s*:\\s*(\\S.*?)\\s*(?:\\*/|-->|$)`, 'gim')

export class Ignores {
  private readonly comments = new Map<string, readonly Ignored[]>()
  /** Of those that have ended. */
  readonly notes: string[] = []
  private readonly day: string

  private constructor(
    private readonly kept: readonly Ignored[],
    private readonly root: string,
    today: Date,
  ) {
    this.day = today.toISOString().slice(0, 10)
  }

  static read(store: Store, root: string, today = new Date()): Ignores {
    return new Ignores(ignoredIn(store.ignoreText() ?? '', store.ignorePath), root, today)
  }

  of(finding: Finding<Saved>): Finding<Saved> {
    if (finding.status !== 'FAILED' && finding.status !== 'REPRODUCED') return finding
    const ids = [finding, ...(finding.also ?? [])].map((f) => f.prediction.fingerprint)
    const files = new Set(finding.prediction.sites.flatMap((site) => placeOf(site)?.file ?? []))
    const said = [...this.kept, ...[...files].flatMap((file) => this.commentsOf(file))].filter(({ id }) =>
      ids.some((one) => one.startsWith(id)),
    )
    const valid = said.find(({ until }) => until === undefined || until >= this.day)
    const [over] = said
    if (!valid && over) this.notes.push(`${over.id} was ignored until ${over.until} (${over.reason}), and counts again.`)
    if (!valid) return finding
    const note = `Ignored${valid.until === undefined ? '' : ` until ${valid.until}`}: ${valid.reason}`
    return { ...finding, status: 'IGNORED', note: finding.note === undefined ? note : `${note}. ${finding.note}` }
  }

  private commentsOf(file: string): readonly Ignored[] {
    let found = this.comments.get(file)
    if (!found) this.comments.set(file, (found = commentsIn(sourceText(file, this.root) ?? '')))
    return found
  }
}

/** An error for the first line that cannot be read: what somebody wanted to be ignored must not fail silently, nor the other way round. */
function ignoredIn(text: string, path: string): Ignored[] {
  return text.split(/\r?\n/).flatMap((line, i) => {
    const said = line.replace(/(^|\s)#.*$/, '').trim()
    if (said === '') return []
    const [, id, until, reason] = LINE.exec(said) ?? []
    if (id === undefined || reason === undefined || (until !== undefined && !isDay(until))) throw badIgnoreLine(path, i + 1, line)
    return [{ id: id.toLowerCase(), reason, until }]
  })
}

const commentsIn = (text: string): Ignored[] =>
  [...text.matchAll(COMMENT)].map(([, id, reason]) => ({ id: id!.toLowerCase(), reason: reason! }))

const isDay = (text: string): boolean => {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
