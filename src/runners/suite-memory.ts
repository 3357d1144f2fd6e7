/**
 * What is known of the tests of a file from earlier runs, in `.heddle/history`: which have orders that nobody had time for, and how likely the best of
 * them is to fail. The next run looks at those first. An entry counts as long as the code of the test is unchanged.
 */
import { fingerprintOf } from '../base/fingerprint.ts'
import { count, Fault, fields, id, map, number, take, word } from '../base/schema.ts'
import type { OrdersLeft } from '../confirm/replayed.ts'
import type { TestName } from '../schedule/schedule.ts'
import type { Store } from '../store/store.ts'

const VERSION = 1
const MOST = 10_000
const MS = number(-1e12, 1e12)
const KEPT = fields({
  version: word(VERSION),
  run: count,
  gain: MS,
  replayMs: MS,
  lookMs: MS,
  tests: map(fields({ '?code': id, left: count, score: MS, run: count }), MOST),
})

interface Known {
  /** Left out: nobody has looked at it yet. */
  readonly code?: string
  readonly left: number
  readonly score: number
  /** The last run that looked at it. */
  readonly run: number
}

interface Kept {
  readonly run: number
  /** What the tests of this file had left of the budget when they were over. */
  readonly gain: number
  readonly replayMs: number
  readonly lookMs: number
  readonly tests: Readonly<Record<string, Known>>
}

/** Replays that one test is expected to take. */
const OF_ONE_TEST = 2
/** Between two writes, milliseconds. */
const PAUSE_MS = 200

export class SuiteMemory {
  private readonly name: string
  private readonly kept: Kept | undefined
  private readonly tests: Map<string, Known>
  private readonly wanted: ReadonlySet<string>
  private state: Pick<Kept, 'gain' | 'replayMs' | 'lookMs'> = { gain: 0, replayMs: 0, lookMs: 0 }
  /** The process may have run other files before. */
  private atBegin: number | undefined
  private written = 0
  private isNew = false

  /** `leastMs`: what a run may use however short it is. */
  constructor(
    private readonly store: Store,
    file: string,
    leastMs: number,
  ) {
    this.name = `suite-${fingerprintOf([file])}`
    const kept = take<Kept>(store.get('history', this.name), KEPT)
    this.kept = kept instanceof Fault ? undefined : kept
    this.tests = new Map(Object.entries(this.kept?.tests ?? {}))
    this.wanted = this.kept ? wantedOf(this.kept, leastMs) : new Set()
  }

  get replayMs(): number | undefined {
    return this.kept?.replayMs
  }

  get lookMs(): number | undefined {
    return this.kept?.lookMs
  }

  /** How much more of the budget the tests of this file are going to leave, if they have left so much so far. */
  ahead(gain: number): number {
    this.atBegin ??= gain
    return Math.max(0, (this.kept?.gain ?? 0) - (gain - this.atBegin))
  }

  /** Is this test worth a look now? One that is new, or whose code has changed, is. */
  isWanted(test: TestName, code: string | undefined): boolean {
    const known = this.tests.get(keyOf(test))
    return !known || known.code !== code || this.wanted.has(keyOf(test))
  }

  /** Undefined: there was no time to look at it. */
  tell(test: TestName, code: string | undefined, left: OrdersLeft | undefined, state: Pick<Kept, 'gain' | 'replayMs' | 'lookMs'>): void {
    const run = (this.kept?.run ?? 0) + 1
    if (left) this.tests.set(keyOf(test), { ...(code ? { code } : {}), left: left.orders, score: left.score, run })
    else if (!this.isKnown(test, code)) this.tests.set(keyOf(test), { left: 0, score: 0, run: 0 })
    this.state = { ...state, gain: state.gain - (this.atBegin ?? 0) }
    this.isNew = true
    if (Date.now() - this.written > PAUSE_MS) this.save()
  }

  save(): void {
    if (!this.isNew) return
    this.written = Date.now()
    this.isNew = false
    const tests = Object.fromEntries([...this.tests].slice(-MOST))
    this.store.put('history', this.name, { version: VERSION, run: (this.kept?.run ?? 0) + 1, ...this.state, tests })
  }

  /** How many orders of it were left, where it was looked at before. */
  leftOf(test: TestName): number {
    return this.tests.get(keyOf(test))?.left ?? 0
  }

  private isKnown(test: TestName, code: string | undefined): boolean {
    const known = this.tests.get(keyOf(test))
    return known?.code !== undefined && known.code === code
  }
}

const keyOf = ({ name, nth = 1 }: TestName): string => `${nth} ${name}`

/** As many as there will be time for: those nobody has looked at, then those with the likeliest orders, then the others, which rest longest. */
function wantedOf({ tests, gain, replayMs, lookMs }: Kept, leastMs: number): ReadonlySet<string> {
  const rank = ({ code, left }: Known): number => (code === undefined ? 0 : left > 0 ? 1 : 2)
  const sorted = Object.entries(tests).sort(([, a], [, b]) => rank(a) - rank(b) || b.score - a.score || a.run - b.run)
  const wanted = new Set<string>()
  let cost = 0
  for (const [key, known] of sorted) {
    if (wanted.size > 0 && cost >= Math.max(leastMs, gain)) break
    wanted.add(key)
    cost += lookMs + Math.min(OF_ONE_TEST, known.left) * replayMs
  }
  return wanted
}
