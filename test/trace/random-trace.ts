/** Random traces that a run could have left behind, with names and values of every awkward kind. */
import { Random } from '../../src/base/random.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import * as ops from '../../src/trace/ops.ts'
import { NONE, type Trace } from '../../src/trace/trace.ts'
import { type Value, NOT_OBSERVED } from '../../src/trace/values.ts'
import { addWait, Held } from '../../src/trace/waits.ts'

export const HOSTILE = [
  '',
  ' ',
  '#x',
  'a|b',
  'a\nb',
  'a\r',
  '\u0000',
  '\u001b[31mred',
  'x)=1',
  'x)',
  '(',
  'f(a)',
  'f(a,b)',
  'a,b',
  '%7C',
  '%-',
  '100%',
  '"q"',
  "it's",
  'order:',
  'é',
  '漢字',
  '😀',
  '\ud800',
  '\udc00x',
  '\u202eevil',
  '\ufeffbom',
  '\u00a0',
  'a b',
  '@site',
  '=',
  '\\',
  'wait',
  'toString',
  '__proto__',
]
const PLAIN = ['x', 'y', 'V16e92358.199', 'V20ee188a[4]', 'main.c:7', 'a.b', 'z1', 'file.js:3:9']
const VALUES: Value[] = [0, 1, -1, 5, -0, 1.5, 1e21, NaN, Infinity, -Infinity, 2 ** 30, -(2 ** 30), 12n, -7n, true, false, null, undefined]
const MORE_VALUES: Value[] = [
  '',
  'a',
  'a|b)=c',
  'a "q" \n',
  '\ud800',
  { object: '1' },
  { object: 'a b' },
  { object: '"x' },
  { object: 'p|q\n' },
  { object: '' },
]

export interface RandomOptions {
  hostile?: boolean
  events?: number
  order?: 'global' | 'task'
}

export function randomTrace(seed: number, { hostile = false, events = 40, order = 'global' }: RandomOptions = {}): Trace {
  const random = new Random(seed)
  const pool = hostile ? [...HOSTILE, ...PLAIN] : PLAIN
  const pick = (): string => random.pick(pool)
  const b = new TraceBuilder()
  const held = new Held()
  const value = (): number =>
    random.chance(0.4) ? NOT_OBSERVED : b.values.codeOf(random.pick(hostile ? [...VALUES, ...MORE_VALUES] : VALUES))
  const site = (): number => (random.chance(0.4) ? NONE : b.sites.intern(pick()))
  const names = [...new Set(Array.from({ length: 1 + random.below(4) }, (_, i) => (hostile ? pick() : `T${i + 1}`)))]
  const tasks = names.map((name) => b.task(name))
  const alive = [tasks[0]!]
  const ended = new Set<number>()
  const owner = new Map<number, number>() // lock → task
  let stamp = 0
  const add = (task: number, op: number, target = NONE, v = NOT_OBSERVED): void => {
    held.follow(task, op, target)
    b.add(task, op, target, v, site(), ++stamp)
  }
  for (let k = 0; k < events; k++) {
    const task = random.pick(alive)
    const lock = b.locks.intern(pick())
    switch (random.below(14)) {
      case 0: {
        const fresh = tasks.find((t) => !alive.includes(t) && !ended.has(t))
        if (fresh === undefined) break
        add(task, ops.FORK, fresh)
        alive.push(fresh)
        break
      }
      case 1: {
        const other = random.pick(tasks)
        if (!ended.has(other)) break
        add(task, ops.JOIN, other)
        break
      }
      case 2:
        if (alive.length < 2 || random.chance(0.7) || [...owner.values()].includes(task)) break
        add(task, ops.END)
        alive.splice(alive.indexOf(task), 1)
        ended.add(task)
        break
      case 3:
      case 4:
        if (owner.has(lock) && owner.get(lock) !== task) break
        owner.set(lock, task)
        add(task, ops.ACQUIRE, lock)
        break
      case 5:
        if (owner.get(lock) !== task) break
        add(task, ops.RELEASE, lock)
        if (held.count(task, lock) === 0) owner.delete(lock)
        break
      case 6: {
        // A wait between two notifies of others: released, notified, woken, in one stamp or in several.
        const name = random.chance(0.5) ? b.locks.at(lock) : pick()
        const signal = b.signals.intern(name)
        const other = alive.find((t) => t !== task)
        if (other === undefined || owner.get(lock) !== task) break
        const depth = held.count(task, lock)
        const s = site()
        for (let i = 0; i < depth; i++) b.add(task, ops.RELEASE, lock, NOT_OBSERVED, s, ++stamp)
        add(other, random.chance(0.5) ? ops.NOTIFY : ops.NOTIFY_ALL, signal)
        b.add(task, ops.WAKE, signal, NOT_OBSERVED, s, ++stamp)
        for (let i = 0; i < depth; i++) b.add(task, ops.ACQUIRE, lock, NOT_OBSERVED, s, stamp + i)
        stamp += depth
        break
      }
      case 7: {
        const op = random.pick([ops.ENTER, ops.EXIT, ops.BRANCH, ops.ATOMIC_BEGIN, ops.ATOMIC_END, 14, 15, 16, 18, 22, 23, 24])
        const kind = ops.OPS[op]!.target
        const bare = kind !== 'location' && random.chance(0.3)
        add(task, op, bare ? NONE : b.targetOf(op, pick()), ops.OPS[op]!.hasValue ? value() : NOT_OBSERVED)
        break
      }
      case 8:
        if (order === 'task' && owner.get(lock) === task) addWait(b, held, task, b.signals.intern(pick()), lock, site(), ++stamp)
        break
      case 9:
        add(task, random.pick([ops.BEGIN, ops.REQUEST]) === ops.BEGIN ? ops.BEGIN : ops.END)
        break
      case 10: {
        const location = b.locations.intern(pick())
        const kind = random.below(3)
        add(task, kind === 1 ? ops.ATOMIC_WRITE : ops.ATOMIC_READ, location, value())
        if (kind === 2) add(task, ops.UPDATE, location, value())
        break
      }
      default:
        add(task, random.chance(0.5) ? ops.READ : ops.WRITE, b.locations.intern(pick()), value())
    }
  }
  return random.chance(0.2) ? b.finish({ order, branches: random.chance(0.5) }) : b.finish({ order })
}

/** All that a round trip must keep, as plain data: names instead of numbers, order instead of stamps. */
export function content(trace: Trace): unknown {
  const order = Array.from(trace.sourceOrder())
  return {
    order: trace.facts.order,
    branches: trace.facts.branches,
    events: order.map((e) => [
      trace.taskName(trace.taskOf(e)),
      ops.OPS[trace.op[e]!]!.name,
      trace.target[e] === NONE ? null : trace.targetName(e),
      trace.tables.values.textOf(trace.value[e]!),
      trace.site[e] === NONE ? null : trace.siteName(e),
    ]),
  }
}

/** One event of every op, with one name for everything. */
export function hostileOps(name: string): Trace {
  const b = new TraceBuilder()
  const task = b.task(name)
  ops.OPS.forEach((row, op) =>
    b.add(task, op, b.targetOf(op, name), row.hasValue ? b.values.codeOf(name) : NOT_OBSERVED, b.sites.intern(name)),
  )
  return b.finish()
}
