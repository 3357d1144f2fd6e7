/**
 * Small random programs with locks made by hand, and a machine to run them on: one thread at a time, one step at a time, in any order. The machine
 * records what docs/workers.md says, and can run a program again along an order that somebody predicted.
 */
import { Random } from '../../src/base/random.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import {
  ACQUIRE,
  ACQUIRE_SHARED,
  ATOMIC_READ,
  ATOMIC_WRITE,
  NOTIFY,
  READ,
  RELEASE,
  RELEASE_SHARED,
  UPDATE,
  WAKE,
  WRITE,
} from '../../src/trace/ops.ts'
import type { Trace } from '../../src/trace/trace.ts'

export const LOCK_KINDS = ['spin', 'looking', 'exchange', 'mutex', 'simple mutex', 'plain release', 'owner'] as const
export type LockKind = (typeof LOCK_KINDS)[number]

/**
 * Things that make a cell another thing than a lock: a try that may give up, or then takes it all the same; a release by anybody; a look. (Not: a
 * try, then a wait. See the last test of made-locks.test.ts.)
 */
const STRANGE = ['try', 'try', 'insist', 'stray', 'unlock twice', 'look'] as const

type Statement =
  | { readonly do: 'lock' | 'unlock' | (typeof STRANGE)[number]; readonly lock: number }
  | { readonly do: 'read' | 'load' | 'write' | 'store' | 'copy'; readonly cell: string; readonly value: number }

export interface Program {
  readonly kinds: readonly LockKind[]
  readonly threads: readonly (readonly Statement[])[]
}

export function randomProgram(
  random: Random,
  options: { strange?: boolean; nested?: boolean; threads?: number; parts?: number } = {},
): Program {
  const kinds = [random.pick(LOCK_KINDS), random.pick(LOCK_KINDS)]
  const access = (): Statement => ({
    do: random.pick(['read', 'write', 'read', 'write', 'load', 'store', 'copy']),
    cell: random.pick(['x', 'x', 'y']),
    value: 1 + random.below(2),
  })
  const thread = (): Statement[] => {
    const list: Statement[] = []
    for (let parts = 1 + random.below(options.parts ?? 2); parts > 0; parts--) {
      if (random.chance(0.3)) list.push(access())
      const lock = random.below(2)
      if (options.strange && random.chance(0.35)) {
        list.push({ do: random.pick(STRANGE), lock })
        continue
      }
      list.push({ do: 'lock', lock })
      if (random.chance(0.8)) list.push(access())
      if (options.strange && random.chance(0.3)) list.push({ do: 'look', lock })
      if (options.nested && random.chance(0.4)) list.push({ do: 'lock', lock: 1 - lock }, access(), { do: 'unlock', lock: 1 - lock })
      list.push({ do: 'unlock', lock })
      if (random.chance(0.3)) list.push(access())
    }
    return list
  }
  return { kinds, threads: Array.from({ length: options.threads ?? 2 }, thread) }
}

/** What a thread asks the machine for; it gets back what was seen. */
interface Ask {
  readonly what: 'read' | 'write' | 'load' | 'store' | 'cas' | 'exchange' | 'sub' | 'wait' | 'woken' | 'notify'
  readonly cell: string
  readonly value: number
  readonly wanted?: number
  readonly site: string
}

type Thread = Generator<Ask, void, number>

function* lockIt(kind: LockKind, cell: string, me: number): Thread {
  const ask = (what: Ask['what'], value: number, wanted?: number, line = ''): Ask => ({
    what,
    cell,
    value,
    ...(wanted === undefined ? {} : { wanted }),
    site: `${cell} lock ${what}${line}`,
  })
  switch (kind) {
    case 'spin':
    case 'plain release':
      while ((yield ask('cas', 1, 0)) !== 0);
      return
    case 'owner':
      while ((yield ask('cas', me + 10, 0)) !== 0);
      return
    case 'looking':
      do while ((yield ask('load', 0)) !== 0);
      while ((yield ask('cas', 1, 0)) !== 0)
      return
    case 'exchange':
      while ((yield ask('exchange', 1)) !== 0);
      return
    case 'simple mutex':
      while ((yield ask('cas', 1, 0)) !== 0) {
        if ((yield ask('wait', 1)) === 1) yield ask('woken', 0)
      }
      return
    case 'mutex': {
      if ((yield ask('cas', 1, 0, ' first')) === 0) return
      while ((yield ask('exchange', 2)) !== 0) {
        if ((yield ask('wait', 2)) === 2) yield ask('woken', 0)
      }
    }
  }
}

function* unlockIt(kind: LockKind, cell: string): Thread {
  const ask = (what: Ask['what'], value: number): Ask => ({ what, cell, value, site: `${cell} unlock ${what}` })
  if (kind === 'mutex') {
    if ((yield ask('sub', 1)) === 1) return
    yield ask('store', 0)
    yield ask('notify', 1)
  } else if (kind === 'exchange') yield ask('exchange', 0)
  else {
    yield ask(kind === 'plain release' ? 'write' : 'store', 0)
    if (kind === 'simple mutex') yield ask('notify', 1)
  }
}

function* strangely(kind: LockKind, what: string, cell: string, site: string, me: number): Thread {
  const then = (value: number): Ask => ({ what: 'write', cell: 'y', value, site: `${site} then` })
  if (what === 'stray') yield { what: 'store', cell, value: 0, site }
  else if (what === 'unlock twice') yield* unlockIt(kind, cell)
  else if (what === 'look') yield then(5 + (yield { what: 'load', cell, value: 0, site }))
  else {
    const got = (yield { what: 'cas', cell, value: 1, wanted: 0, site: `${site} try` }) === 0
    const insists = what === 'insist' && !kind.endsWith('mutex')
    if (insists && !got) yield* lockIt(kind, cell, me)
    yield then(got ? 3 : 4)
    if (insists || got) yield* unlockIt(kind, cell)
  }
}

function* threadOf(program: Program, me: number): Thread {
  let last = 0
  for (const [line, s] of program.threads[me]!.entries()) {
    const site = `thread ${me} line ${line}`
    if (s.do === 'lock') yield* lockIt(program.kinds[s.lock]!, `L${s.lock}`, me)
    else if (s.do === 'unlock') yield* unlockIt(program.kinds[s.lock]!, `L${s.lock}`)
    else if ('lock' in s) yield* strangely(program.kinds[s.lock]!, s.do, `L${s.lock}`, site, me)
    else if (s.do === 'read' || s.do === 'load') last = yield { what: s.do, cell: s.cell, value: 0, site }
    else if (s.do === 'copy') yield { what: 'write', cell: s.cell, value: last + 1, site }
    else yield { what: s.do, cell: s.cell, value: s.value, site }
  }
}

export interface Seen {
  readonly op: number
  readonly target: string
  readonly value?: number
}

export class Machine {
  private readonly threads: Thread[]
  readonly asks: (Ask | undefined)[]
  private readonly memory = new Map<string, number>()
  /** Per thread: asleep on a cell. */
  private readonly asleep: (string | undefined)[]
  private readonly queue: number[] = []
  /** Per thread: the try that failed last, with what it saw; the same again is no step. */
  private readonly failed: string[]

  constructor(readonly program: Program) {
    this.threads = program.threads.map((_, t) => threadOf(program, t))
    this.asks = this.threads.map((thread) => thread.next().value as Ask | undefined)
    this.asleep = this.threads.map(() => undefined)
    this.failed = this.threads.map(() => '')
  }

  at(cell: string): number {
    return this.memory.get(cell) ?? 0
  }

  isOver(t: number): boolean {
    return this.asks[t] === undefined
  }

  /** Would a step of the thread be one that others can notice, now? Not if it sleeps or spins. */
  canStep(t: number): boolean {
    const ask = this.asks[t]
    return ask !== undefined && this.asleep[t] === undefined && this.failed[t] !== `${ask.site} ${this.at(ask.cell)}`
  }

  /** One step; its events. */
  step(t: number): Seen[] {
    const ask = this.asks[t]!
    const { cell } = ask
    const seen = this.at(cell)
    const events: Seen[] = []
    const say = (op: number, value?: number, target = cell): void =>
      void events.push({ op, target, ...(value === undefined ? {} : { value }) })
    const write = (op: number, value: number): void => {
      this.memory.set(cell, value)
      say(op, value)
    }
    const update = (value: number): void => {
      say(ATOMIC_READ, seen)
      write(UPDATE, value)
    }
    this.failed[t] = ''
    switch (ask.what) {
      case 'read':
        say(READ, seen)
        break
      case 'load':
        say(ATOMIC_READ, seen)
        if (cell.startsWith('L') && seen !== 0) this.failed[t] = `${ask.site} ${seen}`
        break
      case 'write':
        write(WRITE, ask.value)
        break
      case 'store':
        write(ATOMIC_WRITE, ask.value)
        break
      case 'cas':
        if (seen === ask.wanted) update(ask.value)
        else {
          say(ATOMIC_READ, seen)
          this.failed[t] = `${ask.site} ${seen}`
        }
        break
      case 'exchange':
        update(ask.value)
        if (seen === ask.value && this.program.kinds[Number(cell[1])] === 'exchange') this.failed[t] = `${ask.site} ${seen}`
        break
      case 'sub':
        update(seen - ask.value)
        break
      case 'wait':
        if (seen === ask.value) {
          say(ACQUIRE_SHARED, undefined, `waiters of ${cell}`)
          say(ATOMIC_READ, seen)
          say(RELEASE_SHARED, undefined, `waiters of ${cell}`)
          this.asleep[t] = cell
          this.queue.push(t)
        } else say(ATOMIC_READ, seen)
        break
      case 'woken':
        say(WAKE)
        break
      case 'notify': {
        say(ACQUIRE, undefined, `waiters of ${cell}`)
        say(NOTIFY)
        say(RELEASE, undefined, `waiters of ${cell}`)
        const first = this.queue.findIndex((other) => this.asleep[other] === cell)
        if (first >= 0) this.asleep[this.queue.splice(first, 1)[0]!] = undefined
        break
      }
    }
    const next = this.threads[t]!.next(seen)
    this.asks[t] = next.done ? undefined : next.value
    return events
  }
}

/** Runs the program in a random order to its end; undefined when it gets stuck or becomes long. */
export function record(program: Program, random: Random, mostEvents: number): Trace | undefined {
  const machine = new Machine(program)
  const builder = new TraceBuilder()
  for (const t of program.threads.keys()) builder.task(`t${t}`)
  const eager = random.chance(0.5) ? 0.8 : 0.4
  let turn = 0
  for (let stamp = 1; ; stamp++) {
    const able = [...program.threads.keys()].filter((t) => machine.canStep(t))
    if (able.length === 0) break
    if (!able.includes(turn) || random.chance(1 - eager)) turn = random.pick(able)
    const { site } = machine.asks[turn]!
    for (const { op, target, value } of machine.step(turn)) {
      const code = value === undefined ? 0 : builder.values.codeOf(value)
      builder.add(turn, op, builder.targetOf(op, target), code, builder.sites.intern(site), stamp)
    }
    if (builder.eventCount > mostEvents) return undefined
  }
  return [...program.threads.keys()].every((t) => machine.isOver(t)) ? builder.finish({ source: 'lock program' }) : undefined
}
