/**
 * What a check remembers of candidates without a result: `.heddle/history`, read before predicting and written after the replays, so that the next
 * check, of this input or another, tries others first. predict/history.ts says when an entry still counts.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { History, type Tried } from '../predict/history.ts'
import type { PropertyPrediction, Wanted } from '../predict/loop/property.ts'
import { eventSite } from '../property/words.ts'
import type { Store } from '../store/store.ts'
import type { Finding } from './confirm.ts'
import type { Saved } from '../schedule/saved.ts'
import type { Timers } from '../schedule/schedule.ts'
import type { Trace } from '../trace/trace.ts'

const FILE = 'attempts'

export class Attempts {
  private readonly history: History
  /** By fingerprint: what the predictions of this check try. */
  private readonly tried = new Map<string, Tried>()

  constructor(
    private readonly store: Store,
    private readonly trace: Trace,
    private readonly timers: Timers,
    root: string,
  ) {
    this.history = History.load(store.get('history', FILE), (file) => sourceOf(resolve(root, file)))
  }

  /** Only pairs are remembered: where a pattern has more places, two of them do not make it. */
  private triedBy({ declaration, slots }: Pick<Wanted, 'declaration' | 'slots'>): Tried | undefined {
    const [first, second, ...more] = slots
    if (!first || !second || more.length > 0) return undefined
    const place = (e: number): string => eventSite(this.trace, e).split(' < ')[0]!
    return {
      // What cannot come about while timers keep to their times may when they need not.
      machine: `${declaration.name} ${this.timers}`,
      operations: [first.name, second.name],
      sites: [place(first.event), place(second.event)],
    }
  }

  inVain(wanted: Pick<Wanted, 'declaration' | 'slots'>): boolean {
    const tried = this.triedBy(wanted)
    return tried !== undefined && this.history.has(tried)
  }

  note(prediction: PropertyPrediction, wanted: Pick<Wanted, 'declaration' | 'slots'>): void {
    const tried = this.triedBy(wanted)
    if (tried) this.tried.set(prediction.fingerprint, tried)
  }

  /** A program that was not replayed, or whose failure is in doubt, says nothing. */
  keep(findings: readonly Finding<Saved>[], command: readonly string[]): void {
    for (const { prediction, status, replays } of findings) {
      const tried = this.tried.get(prediction.fingerprint)
      if (!tried || status === 'PREDICTED') continue
      if (status === 'FAILED') this.history.forget(tried)
      else if (replays.failures === 0) this.history.add(tried, status.toLowerCase(), command.join(' '), new Date())
    }
    this.store.put('history', FILE, this.history.save())
  }
}

function sourceOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
