/**
 * Orders that were replayed and did not fail, kept in `.heddle/history`. Tests run every day, mostly with unchanged code: then only new orders are
 * replayed. An entry counts as long as Heddle, Node and every module of the test are unchanged. What was not replayed for lack of time comes next
 * time; what timed out comes last.
 */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fingerprintOf } from '../base/fingerprint.ts'
import { Fault, fields, id, list, take, word } from '../base/schema.ts'
import type { Recording } from '../frontends/contract.ts'
import type { Prediction } from '../predict/prediction.ts'
import type { Saved } from '../schedule/saved.ts'
import type { TestName } from '../schedule/schedule.ts'
import type { Store } from '../store/store.ts'
import type { Finding } from './confirm.ts'

const VERSION = 1
const MOST = 1000
const KEPT = fields({ version: word(VERSION), code: id, orders: list(id, MOST), '?late': list(id, MOST) })

interface Kept {
  readonly code: string
  readonly orders: readonly string[]
  /** They timed out. */
  readonly late?: readonly string[]
}

/** Orders that are left for the next time, and how likely the best of them is to fail. */
export interface OrdersLeft {
  readonly orders: number
  readonly score: number
}

export class Replayed {
  /** How many predictions of this check were left out. */
  leftOut = 0
  private readonly before: ReadonlySet<string>
  private readonly late: Set<string>
  private readonly scores = new Map<string, number>()

  private constructor(
    private readonly store: Store,
    private readonly name: string,
    private readonly code: string,
  ) {
    const kept = take<Kept>(store.get('history', name), KEPT)
    const counts = !(kept instanceof Fault) && kept.code === code
    this.before = new Set(counts ? kept.orders : [])
    this.late = new Set(counts ? kept.late : [])
  }

  /** `what`: a test, or a command that runs tests. Undefined where a module cannot be read: then nobody knows whether it has changed. `version`: of Heddle. */
  static of(
    store: Store,
    what: Pick<TestName, 'file' | 'name'> | readonly string[],
    recording: Recording,
    root: string,
    version: string,
  ): Replayed | undefined {
    const [key, file] = 'file' in what ? [[what.file, what.name], [what.file]] : [what, []]
    const code = codeOf(file, recording, root, version)
    return code === undefined ? undefined : new Replayed(store, `orders-${fingerprintOf(key)}`, code)
  }

  /** The predictions whose orders are new. */
  *fresh(predictions: Iterator<Prediction>): Generator<Prediction, undefined> {
    const late: Prediction[] = []
    for (let next = predictions.next(); !next.done; next = predictions.next()) {
      const { fingerprint, score } = next.value
      if (this.before.has(fingerprint)) {
        this.leftOut++
        continue
      }
      this.scores.set(fingerprint, score)
      if (this.late.has(fingerprint)) late.push(next.value)
      else yield next.value
    }
    yield* late
    return undefined
  }

  /** For the user, if there is anything to say. */
  get notes(): string[] {
    const what = this.leftOut === 1 ? 'One order was' : `${this.leftOut} orders were`
    return this.leftOut === 0 ? [] : [`${what} replayed by earlier checks of the same code and did not fail: left out (--history off).`]
  }

  /** What nobody had time for. */
  left(findings: readonly Finding<Saved>[]): OrdersLeft {
    const left = findings.filter(({ status }) => status === 'PREDICTED').map(({ prediction }) => prediction.fingerprint)
    return { orders: left.length, score: Math.max(0, ...left.map((one) => this.scores.get(one) ?? 0)) }
  }

  /** What timed out or failed says nothing about the next time. */
  keep(findings: readonly Finding<Saved>[]): void {
    const passed = findings.filter(({ status, replays }) => replays.failures === 0 && ENDED.has(status))
    const orders = [...new Set([...this.before, ...passed.map(({ prediction }) => prediction.fingerprint)])].slice(-MOST)
    const known = this.late.size
    for (const { status, prediction } of findings) if (status === 'TIMED OUT') this.late.add(prediction.fingerprint)
    if (orders.length === this.before.size && this.late.size === known) return
    this.store.put('history', this.name, { version: VERSION, code: this.code, orders, late: [...this.late].slice(-MOST) })
  }
}

/** A name for all that decides what a recorded run does: its modules, Node and Heddle. */
export function codeOf(
  files: readonly string[],
  { observed, timers }: Pick<Recording, 'timers'> & { readonly observed: Pick<Recording['observed'], 'runtime' | 'modules' | 'skipped'> },
  root: string,
  version: string,
): string | undefined {
  const modules = [...new Set([...files, ...observed.modules, ...observed.skipped.map((one) => one.file)])].sort()
  const hashes = modules.map((module) => hashOf(resolve(root, module)))
  if (hashes.includes(undefined)) return undefined
  return fingerprintOf([version, observed.runtime, timers, ...modules, ...(hashes as string[])])
}

const ENDED: ReadonlySet<string> = new Set(['REPRODUCED', 'DIVERGED', 'NOT REACHED'])

/** A process looks at many tests of the same modules. */
const known = new Map<string, { readonly stamp: string; readonly hash: string }>()

function hashOf(path: string): string | undefined {
  try {
    const { mtimeMs, size, ino } = statSync(path)
    const stamp = `${mtimeMs} ${size} ${ino}`
    const before = known.get(path)
    if (before?.stamp === stamp) return before.hash
    const hash = fingerprintOf([readFileSync(path, 'latin1')])
    known.set(path, { stamp, hash })
    return hash
  } catch {
    return undefined
  }
}
