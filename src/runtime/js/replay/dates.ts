/** Everything that gives the time gives the virtual time: Date, performance, process, and the times of files written since the start. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import vm from 'node:vm'
import { unseen } from '../core.ts'
import { read, timeOfDay, virtualTimeOfDay } from './clock.ts'
import { DateReal } from './real.ts'
import { replace } from '../replace.ts'

type Any = (...args: unknown[]) => unknown

export function installDates(): void {
  installDate(DateReal, globalThis)
  watchContexts()
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

function installDate(real: DateConstructor, global: object): void {
  replace(real, 'now', () => Math.floor(timeOfDay()))
  const virtual = new Proxy(real, {
    construct: (date, args, target) => Reflect.construct(date, args.length === 0 ? [Math.floor(timeOfDay())] : args, target) as object,
    apply: (date) => new date(Math.floor(timeOfDay())).toString(),
  })
  Object.defineProperty(real.prototype, 'constructor', { value: virtual, writable: true, configurable: true, enumerable: false })
  Object.defineProperty(global, 'Date', { value: virtual, writable: true, configurable: true, enumerable: false })
}

/** A context of node:vm has a Date of its own: Jest runs each file of tests in one, with the timers of this one. */
function watchContexts(): void {
  const { createContext, runInContext } = vm
  const inContext = (sandbox: vm.Context): vm.Context => {
    if (!Object.hasOwn(sandbox, 'Date')) {
      const real: unknown = runInContext('typeof Date === "function" ? Date : undefined', sandbox)
      if (typeof real === 'function') installDate(real as DateConstructor, sandbox)
    }
    return sandbox
  }
  const create = function (this: unknown, sandbox?: vm.Context, ...options: [vm.CreateContextOptions?]): vm.Context {
    if (sandbox !== undefined && vm.isContext(sandbox)) return sandbox
    return inContext(Reflect.apply(createContext, this, sandbox === undefined && options.length === 0 ? [] : [sandbox, ...options]))
  }
  replace(vm, 'createContext', create as never)
  // These make the context themselves; of one that is there already they make none.
  const before = vm.Script.prototype.runInNewContext
  replace(vm.Script.prototype, 'runInNewContext', function (
    this: vm.Script,
    sandbox?: vm.Context,
    options?: vm.RunningScriptInNewContextOptions,
  ) {
    return before.call(this, made(create, sandbox, options), options)
  } as never)
  const run = vm.runInNewContext
  replace(vm, 'runInNewContext', ((code: string, sandbox?: vm.Context, options?: vm.RunningCodeInNewContextOptions | string) =>
    run(code, made(create, sandbox, typeof options === 'string' ? undefined : options), options)) as never)
}

/** Wrong arguments go to Node's own function, which complains. */
function made(
  create: (sandbox: vm.Context, options: vm.CreateContextOptions) => vm.Context,
  sandbox: vm.Context = {},
  options: vm.RunningScriptInNewContextOptions = {},
): vm.Context {
  const { contextName: name, contextOrigin: origin, contextCodeGeneration: codeGeneration, microtaskMode } = options ?? {}
  const given = Object.entries({ name, origin, codeGeneration, microtaskMode }).filter(([, value]) => value !== undefined)
  try {
    return create(sandbox, Object.fromEntries(given))
  } catch {
    return sandbox
  }
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
  for (const name of ['utimes', 'lutimes', 'futimes']) {
    for (const [owner, its] of [
      [fs, name],
      [fs, `${name}Sync`],
      [fs.promises, name],
    ] as const) {
      const before = Reflect.get(owner, its) as Any | undefined
      if (before === undefined) continue
      replace(owner, its, function (this: unknown, ...args: unknown[]): unknown {
        for (const time of args.slice(1, 3)) noteSet(time)
        return before.apply(this, args)
      } as never)
    }
  }
  syncBuiltinESMExports()
}

/** Times that the program gave to files, in hundredths of a millisecond: they are of the virtual clock already, and file systems do not keep every digit. */
const given = new Set<number>()

function noteSet(time: unknown): void {
  const ms = time instanceof DateReal ? time.getTime() : Number(time) * 1000
  if (Number.isFinite(ms)) given.add(Math.round(ms * 100))
}

function wasSet(ms: number): boolean {
  const at = Math.round(ms * 100)
  return given.has(at) || given.has(at - 1) || given.has(at + 1)
}

const TIMES = ['atime', 'mtime', 'ctime', 'birthtime'] as const

function shift(stats: unknown): unknown {
  if (stats === null || typeof stats !== 'object') return stats
  for (const name of TIMES) {
    const ms: unknown = Reflect.get(stats, `${name}Ms`)
    if (typeof ms === 'bigint') {
      const ns = Reflect.get(stats, `${name}Ns`) as bigint
      if (wasSet(Number(ns) / 1e6)) continue
      const moved = toNanos(virtualTimeOfDay(Number(ms))) - ms * 1_000_000n
      if (moved === 0n) continue
      set(stats, `${name}Ns`, ns + moved)
      set(stats, `${name}Ms`, (ns + moved) / 1_000_000n)
      set(stats, name, new DateReal(Number((ns + moved) / 1_000_000n)))
    } else if (typeof ms === 'number') {
      if (wasSet(ms)) continue
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
