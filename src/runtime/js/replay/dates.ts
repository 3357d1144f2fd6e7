/** Everything that tells the time tells the virtual one: Date, performance, process, and the times of files written since the start. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { unseen } from '../core.ts'
import { read, timeOfDay, virtualTimeOfDay } from './clock.ts'
import { DateReal } from './real.ts'
import { replace } from '../replace.ts'

type Any = (...args: unknown[]) => unknown

export function installDates(): void {
  replace(DateReal, 'now', () => Math.floor(timeOfDay()))
  const virtual = new Proxy(DateReal, {
    construct: (date, args, target) => Reflect.construct(date, args.length === 0 ? [Math.floor(timeOfDay())] : args, target) as object,
    apply: () => new DateReal(Math.floor(timeOfDay())).toString(),
  })
  Object.defineProperty(DateReal.prototype, 'constructor', { value: virtual, writable: true, configurable: true, enumerable: false })
  Object.defineProperty(globalThis, 'Date', { value: virtual, writable: true, configurable: true, enumerable: false })

  const began = {
    performance: performance.now() - read(),
    hrtime: process.hrtime.bigint() - toNanos(read()),
    uptime: process.uptime() * 1000 - read(),
  }
  replace(Object.getPrototypeOf(performance) as object, 'now', () => began.performance + read())
  const bigint = (): bigint => began.hrtime + toNanos(read())
  const hrtimeBefore = process.hrtime
  const hrtime = (before?: [number, number]): [number, number] => {
    if (before !== undefined && !Array.isArray(before)) return hrtimeBefore(before)
    const now = bigint()
    const seconds = Number(now / 1_000_000_000n)
    const nanos = Number(now % 1_000_000_000n)
    if (before === undefined) return [seconds, nanos]
    const s = seconds - before[0]
    const n = nanos - before[1]
    return n < 0 ? [s - 1, n + 1e9] : [s, n]
  }
  Object.defineProperty(hrtime, 'bigint', { value: bigint, writable: true, configurable: true, enumerable: true })
  replace(process, 'hrtime', hrtime)
  replace(process, 'uptime', () => (began.uptime + read()) / 1000)
  installFileTimes()
}

const toNanos = (ms: number): bigint => BigInt(Math.round(ms * 1e6))

/** A program that compares a file's time with Date.now means one clock. */
function installFileTimes(): void {
  for (const name of ['stat', 'lstat', 'fstat']) {
    const before = Reflect.get(fs, name) as Any
    const asked = function (this: unknown, ...args: unknown[]): unknown {
      const callback = args.at(-1)
      if (typeof callback === 'function') {
        args[args.length - 1] = function (this: unknown, error: unknown, stats: unknown, ...more: unknown[]): unknown {
          return Reflect.apply(callback, this, [error, shift(stats), ...more])
        }
      }
      return before.apply(this, args)
    }
    replace(fs, name, asked as never)
    const sync = Reflect.get(fs, `${name}Sync`) as Any
    replace(fs, `${name}Sync`, function (this: unknown, ...args: unknown[]): unknown {
      return shift(sync.apply(this, args))
    } as never)
    if (name === 'fstat') continue
    const promised = Reflect.get(fs.promises, name) as Any
    replace(fs.promises, name, function (this: unknown, ...args: unknown[]): Promise<unknown> {
      const stats = promised.apply(this, args) as Promise<unknown>
      // Nobody's: a chain of the program that waited here would be one more than in the recorded run.
      return new Promise((yes, no) => unseen(() => stats.then((found) => yes(shift(found)), no)))
    } as never)
  }
  syncBuiltinESMExports()
}

const TIMES = ['atime', 'mtime', 'ctime', 'birthtime'] as const

function shift(stats: unknown): unknown {
  if (stats === null || typeof stats !== 'object') return stats
  for (const name of TIMES) {
    const ms: unknown = Reflect.get(stats, `${name}Ms`)
    if (typeof ms === 'bigint') {
      const ns = Reflect.get(stats, `${name}Ns`) as bigint
      const moved = toNanos(virtualTimeOfDay(Number(ms))) - ms * 1_000_000n
      if (moved === 0n) continue
      set(stats, `${name}Ns`, ns + moved)
      set(stats, `${name}Ms`, (ns + moved) / 1_000_000n)
      set(stats, name, new DateReal(Number((ns + moved) / 1_000_000n)))
    } else if (typeof ms === 'number') {
      const moved = virtualTimeOfDay(ms)
      if (moved === ms) continue
      set(stats, `${name}Ms`, moved)
      set(stats, name, new DateReal(Math.round(moved)))
    }
  }
  return stats
}

function set(stats: object, name: string, value: unknown): void {
  Object.defineProperty(stats, name, { value, writable: true, configurable: true, enumerable: true })
}
