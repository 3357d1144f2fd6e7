/**
 * Orders that were replayed and did not fail, kept in `.heddle/history`. Tests run every day, mostly with unchanged code: then only new orders are
 * replayed. An entry counts as long as Heddle, Node and every module of the test are unchanged.
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
const KEPT = fields({ version: word(VERSION), code: id, orders: list(id, MOST) })

interface Kept {
  readonly code: string
  readonly orders: readonly string[]
}

export class Replayed {
  /** How many predictions of this check were left out. */
  leftOut = 0
  private readonly before: ReadonlySet<string>

  private constructor(
    private readonly store: Store,
    private readonly name: string,
    private readonly code: string,
  ) {
    const kept = take<Kept>(store.get('history', name), KEPT)
    this.before = new Set(kept instanceof Fault || kept.code !== code ? [] : kept.orders)
  }

  /** Of this test. Undefined where a module cannot be read: then nobody knows whether it has changed. `version`: of Heddle. */
  static of(store: Store, { file, name }: TestName, recording: Recording, root: string, version: string): Replayed | undefined {
    const { observed, timers } = recording
    const modules = [...new Set([file, ...observed.modules, ...observed.skipped.map((one) => one.file)])].sort()
    const hashes = modules.map((module) => hashOf(resolve(root, module)))
    if (hashes.includes(undefined)) return undefined
    const code = fingerprintOf([version, observed.runtime, timers, ...modules, ...(hashes as string[])])
    return new Replayed(store, `orders-${fingerprintOf([file, name])}`, code)
  }

  /** The predictions whose orders are new. */
  *fresh(predictions: Iterator<Prediction>): Generator<Prediction, undefined> {
    for (let next = predictions.next(); !next.done; next = predictions.next()) {
      if (this.before.has(next.value.fingerprint)) this.leftOut++
      else yield next.value
    }
    return undefined
  }

  /** What timed out or failed says nothing about the next time. */
  keep(findings: readonly Finding<Saved>[]): void {
    const passed = findings.filter(({ status, replays }) => replays.failures === 0 && ENDED.has(status))
    const orders = [...new Set([...this.before, ...passed.map(({ prediction }) => prediction.fingerprint)])].slice(-MOST)
    if (orders.length > this.before.size) this.store.put('history', this.name, { version: VERSION, code: this.code, orders })
  }
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
