/** A prediction about a branch of a thread, in words and as a schedule. */
import type { BranchNote, SeenWrite } from '../../schedule/order.ts'
import { Causality } from '../../causal/causality.ts'
import { InputSets } from '../../symbolic/input-sets.ts'
import { UNKNOWN, type Known } from '../../symbolic/known.ts'
import type { Joined } from '../../trace/joined.ts'
import { NONE, type EventId } from '../../trace/trace.ts'
import { valueText } from '../../trace/values.ts'
import type { Flip } from '../../witness/paths.ts'
import { fingerprintOf } from '../../base/fingerprint.ts'
import { lineOf, shapeOf } from '../loop/shape.ts'
import type { Prediction } from '../prediction.ts'
import { noDemands } from '../propose/group.ts'
import { Words } from '../threads/describe.ts'
import { Numbering } from '../threads/numbering.ts'
import type { ThreadOptions } from '../threads/prediction.ts'
import type { ThreadProposal } from '../threads/propose.ts'
import { scheduleOf, type Threads } from '../threads/schedule.ts'
import { Steps } from '../threads/steps.ts'
import { summaryOf } from './describe.ts'
import type { Woven } from './thread-weave.ts'

const POINTS = 40
const MOST_SITES = 12

export class Describer {
  private readonly threads: Threads
  private readonly causality: Causality
  private readonly words: Words
  private readonly inputs: InputSets

  constructor(
    joined: Joined,
    private readonly woven: Woven,
    private readonly options: Pick<ThreadOptions, 'command' | 'timers'>,
  ) {
    const steps = new Steps(joined.trace, joined.steps.stepOf, joined.vocabulary)
    const numbering = new Numbering(steps, joined.trace, joined.steps.stepOf)
    this.threads = { trace: woven.trace, stepOf: woven.stepOf, steps, numbering, sleeps: steps.sleeps(), isWhole: true }
    this.causality = new Causality(woven.trace, 'sync')
    this.words = new Words(this.threads, this.causality)
    this.inputs = new InputSets(woven.expressions)
  }

  /** `order`: what runs before the branch, in whole steps. */
  prediction(branch: EventId, order: Int32Array, flip: Flip): Prediction {
    const { woven, words, causality } = this
    const { trace } = woven
    const read = this.decidingRead(branch, flip)
    const saw = causality.writer[read]!
    const sees = flip.seen.get(read)!.writer
    const note = this.noteOf(branch, read, flip)
    const events = [...new Set([saw, sees, read].filter((e) => e !== NONE))]
    const place = new Map(Array.from(order, (e, i) => [e, i] as const))
    const failing = events.toSorted((a, b) => (place.get(a) ?? Infinity) - (place.get(b) ?? Infinity))
    const location = trace.targetName(read)
    const candidate: ThreadProposal = {
      ...noDemands,
      kind: 'order-violation',
      pattern: 'overdue',
      events: [sees === NONE ? read : sees, read],
      runs: 0,
    }
    const sites = [note.site, words.site(read), note.saw?.site ?? '', note.sees?.site ?? '']
    return {
      kind: 'branch',
      pattern: 'schedule-sensitive branch',
      branch: note,
      sites: [...new Set(sites.filter((s) => s !== ''))].slice(0, MOST_SITES),
      locations: [location],
      fingerprint: fingerprintOf(['branch', note.kind, lineOf(note.site), words.role(branch), shapeOf(location)]),
      schedule: scheduleOf(this.threads, candidate, order, [], this.options),
      summary: summaryOf(note),
      observed: words.rows(events.toSorted((a, b) => causality.rank[a]! - causality.rank[b]!)),
      failing: words.rows(failing, this.valuesIn(flip, failing)),
      why: [this.why(read, sees === NONE ? saw : sees)],
      count: 1,
      score: POINTS,
    }
  }

  /** Of the inputs of the condition, the last that sees something else. */
  private decidingRead(branch: EventId, flip: Flip): EventId {
    const inputs = this.inputs.of(this.woven.of[branch]!)
    return inputs.findLast((read) => flip.seen.get(read)?.asRecorded === false) ?? inputs.at(-1)!
  }

  private noteOf(branch: EventId, read: EventId, flip: Flip): BranchNote {
    const { woven, causality } = this
    const { trace } = woven
    const task = causality.task[branch]!
    const paths = woven.paths[task]
    const row = woven.rowOf[branch]!
    const seen = flip.seen.get(read)!
    return {
      kind: trace.targetName(branch),
      site: trace.siteName(branch),
      task: trace.taskName(task),
      chain: paths && row !== NONE ? paths.chainOf(row) : '',
      nth: paths && row !== NONE ? paths.nthOf(row) : 1,
      recorded: paths && row !== NONE ? valueText(paths.outcomeOf(row)) : trace.tables.values.textOf(trace.value[branch]!),
      flipped: textOf(flip.outcome),
      saw: this.seenWrite(read, causality.writer[read]!, trace.tables.values.textOf(trace.value[read]!)),
      sees: this.seenWrite(read, seen.writer, textOf(seen.value)),
    }
  }

  private seenWrite(read: EventId, write: EventId, value: string): SeenWrite {
    return { location: this.woven.trace.targetName(read), value, site: write === NONE ? '' : this.words.site(write) }
  }

  /** Values of reads that differ from the recorded ones, as codes. */
  private valuesIn(flip: Flip, events: readonly EventId[]): Map<EventId, number> {
    const { values } = this.woven.trace.tables
    const codes = new Map<EventId, number>()
    for (const e of events) {
      const seen = flip.seen.get(e)
      if (seen && !seen.asRecorded && seen.value !== UNKNOWN) codes.set(e, values.codeOf(seen.value))
    }
    return codes
  }

  private why(read: EventId, write: EventId): string {
    const { trace } = this.woven
    const who = (e: EventId): string => trace.taskName(this.causality.task[e]!)
    const others = write === NONE || who(write) === who(read) ? 'the other threads' : who(write)
    return `Nothing keeps ${who(read)} and ${others} in the recorded order: no lock, no message, and no decision that came before.`
  }
}

const textOf = (value: Known): string => (value === UNKNOWN ? '' : valueText(value))
