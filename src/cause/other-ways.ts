/**
 * A cause has to be needed: with its steps in their recorded order the program must not fail like that whatever else happens. The failing run reverses only some conflicts of the recorded
 * one. So a few of the others are turned round, too, one at a time, the same place first: if the program then fails in the same way with the named steps as they were recorded, what is
 * named is one way to fail, and the other conflict is another.
 */
import { LoopView } from '../causal/loop/turns.ts'
import type { FailedRun } from '../confirm/confirm.ts'
import type { Rerun } from '../confirm/run.ts'
import { locationOf } from '../predict/loop/describe.ts'
import { Proposals } from '../predict/loop/propose.ts'
import type { Saved } from '../schedule/saved.ts'
import { keyOf, type DelaySchedule, type Schedule, type StepSchedule } from '../schedule/schedule.ts'
import { isEffect, type Unit } from '../trace/loop.ts'
import type { Joined } from '../trace/joined.ts'
import * as loops from './loop-trials.ts'
import { turnedPair } from './loop.ts'
import { pairsOf, type Pair, type Place } from './pairs.ts'
import type { Try } from './prove.ts'
import { failsAsRecorded } from './rivals.ts'
import * as steps from './thread-trials.ts'
import { conflictsAmong } from './threads.ts'

/** Conflicts that are turned round for one failure. */
const MOST = 4

/** A run that fails in the same way. */
interface Way {
  /** Is this in its recorded order there, or does it still fail when it is? */
  without(pairs: readonly Pair[]): Promise<boolean>
  readonly summary: string
  readonly location: string
}

export class OtherWays {
  private ways: Way[] | undefined

  constructor(
    private readonly rerun: Rerun,
    private readonly attempt: Try,
  ) {}

  /** How else it fails, a sentence, with what `named` says as it was recorded. What breaks into an update at one place in another way is the same mistake. */
  async without(named: Saved): Promise<string | undefined> {
    const pairs = pairsOf(named.observed, named.failing)
    if (pairs.length === 0) return undefined
    this.ways ??= await this.find(named)
    for (const { without, summary, location } of this.ways) {
      if (named.kind === 'atomicity' && location === named.locations[0]) continue
      if (await without(pairs)) return summary
    }
    return undefined
  }

  private get recorded(): FailedRun {
    const { loop, threads } = this.rerun.run ?? {}
    return { loop, threads }
  }

  private async find(named: Saved): Promise<Way[]> {
    const { schedule } = named
    const { loop, threads } = this.recorded
    if (schedule.kind === 'delays' && loop) return this.ofLoop(new LoopView(loop), named, schedule)
    return schedule.kind === 'steps' && threads ? this.ofThreads(threads, named, schedule) : []
  }

  private async ofLoop(view: LoopView, named: Saved, schedule: DelaySchedule): Promise<Way[]> {
    const { accesses } = view
    const known = pairsOf(named.observed, named.failing)
    const isAt = (a: number): boolean => locationOf(view, a) === named.locations[0]
    const isUpdate = named.kind === 'atomicity'
    const nearest = new Proposals(view, true).causes
      .flatMap(({ pairs }) => pairs.slice(0, 1))
      .filter(
        ({ u, v }) =>
          !known.some((pair) => isSame(pair, { first: placeOf(view, accesses.unit[u]!), second: placeOf(view, accesses.unit[v]!) })),
      )
      .filter(({ u }) => !(isUpdate && isAt(u)))
      .sort((a, b) => Number(isAt(b.u)) - Number(isAt(a.u)) || view.positionOf(accesses.unit[b.v]!) - view.positionOf(accesses.unit[a.v]!))
    const schedules = new Tried(schedule)
    const ways: Way[] = []
    for (const pair of nearest) {
      if (schedules.count >= MOST) break
      const turned: Pair = { first: placeOf(view, accesses.unit[pair.u]!), second: placeOf(view, accesses.unit[pair.v]!) }
      const own = loops.alone(view, schedule, turned)
      if (!own || !schedules.isNew(own)) continue
      const ended = await this.attempt(own)
      const { run } = ended ?? {}
      if (!run?.loop || !ended?.same) continue
      ways.push({
        location: locationOf(view, pair.u),
        summary: turnedPair(view, new LoopView(run.loop), pair, own).summary,
        without: (pairs) => failsAsRecorded(pairs, run, own, this.recorded, this.attempt),
      })
    }
    return ways
  }

  private async ofThreads(recorded: Joined, named: Saved, schedule: StepSchedule): Promise<Way[]> {
    const known = pairsOf(named.observed, named.failing)
    const others = conflictsAmong(recorded)
      .filter(
        ({ pair, location }) => !(named.kind === 'atomicity' && location === named.locations[0]) && !known.some((one) => isSame(one, pair)),
      )
      .sort((a, b) => Number(b.location === named.locations[0]) - Number(a.location === named.locations[0]))
    const schedules = new Tried(schedule)
    const ways: Way[] = []
    for (const { pair, summary, location } of others) {
      if (schedules.count >= MOST) break
      const own = steps.alone(recorded, schedule, pair)
      if (!own || !schedules.isNew(own.schedule)) continue
      const ended = await this.attempt(own.schedule)
      const { run } = ended ?? {}
      if (!run?.threads || !ended?.same) continue
      ways.push({
        location,
        summary,
        without: (pairs) => failsAsRecorded(pairs, run, own.schedule, this.recorded, this.attempt),
      })
    }
    return ways
  }
}

/** Schedules that were replayed. */
class Tried {
  private readonly keys: Set<string>

  constructor(schedule: Schedule) {
    this.keys = new Set([keyOf(schedule)])
  }

  get count(): number {
    return this.keys.size - 1
  }

  isNew(schedule: Schedule): boolean {
    const { size } = this.keys
    return this.keys.add(keyOf(schedule)).size > size
  }
}

const isSame = (a: Pair, b: Pair): boolean => keyIn(a) === keyIn(b)
const keyIn = ({ first, second }: Pair): string => [first, second].map((p) => `${p.label} ${p.nth} ${p.offLoop}`).join(' < ')

function placeOf(view: LoopView, unit: Unit): Place {
  const turn = view.turnOf(unit)
  return { label: view.labelOf(turn), nth: view.turnNth[turn]!, offLoop: isEffect(unit) }
}
