/**
 * Random programs of threads that share memory and have nothing but atomics to keep apart: spin locks, counters, flags, and plain data that some
 * of them guard. Run with real values, so that what a read saw decides what its task did next.
 */
import { Random } from '../../src/base/random.ts'
import { TraceBuilder } from '../../src/trace/builder.ts'
import { ATOMIC_READ, ATOMIC_WRITE, READ, UPDATE, WRITE } from '../../src/trace/ops.ts'
import type { OrderKind, Trace } from '../../src/trace/trace.ts'

type Statement = 'lock' | 'unlock' | 'add' | 'load' | 'store' | 'read' | 'write' | 'raise' | 'await'

const LOCK = 0
const DATA = 1
const COUNT = 2
const FLAG = 3
const MOST_EVENTS = 16

export function handMadeLocks(seed: number, order: OrderKind): Trace {
  const random = new Random(Math.imul(seed + 1, 0x2545f491))
  const builder = new TraceBuilder()
  for (const name of ['lock', 'data', 'count', 'flag']) builder.locations.intern(name)
  for (const name of ['site1', 'site2', 'site3']) builder.sites.intern(name)
  const memory = [0, 0, 0, 0]
  const tasks = Array.from({ length: 2 + random.below(2) }, (_, t) => ({
    id: builder.task(`t${t + 1}`),
    program: programOf(random),
    clock: 0,
    seen: 0,
  }))
  let stamp = 0
  let events = 0
  const emit = (task: (typeof tasks)[number], op: number, location: number, value: number): void => {
    if (op !== READ && op !== ATOMIC_READ) memory[location] = value
    events++
    // The halves of an update bear one stamp.
    if (op !== UPDATE) {
      stamp++
      task.clock++
    }
    builder.add(task.id, op, location, builder.values.codeOf(value), random.below(3), order === 'task' ? task.clock : stamp)
  }
  const load = (task: (typeof tasks)[number], op: number, location: number): number => {
    emit(task, op, location, memory[location]!)
    return memory[location]!
  }
  for (let idle = 0; idle < 20 && events < MOST_EVENTS - 1;) {
    const task = random.pick(tasks)
    const statement = task.program[0]
    idle++
    if (statement === undefined) continue
    // A task that has to wait for a lock or a flag looks at it now and then, in vain.
    const free = statement === 'lock' ? memory[LOCK] === 0 : statement !== 'await' || memory[FLAG] === 1
    if (!free) {
      if (random.chance(0.15)) load(task, ATOMIC_READ, statement === 'lock' ? LOCK : FLAG)
      continue
    }
    idle = 0
    task.program.shift()
    switch (statement) {
      case 'lock':
        load(task, ATOMIC_READ, LOCK)
        emit(task, UPDATE, LOCK, 1)
        break
      case 'unlock':
        emit(task, ATOMIC_WRITE, LOCK, 0)
        break
      case 'add':
        emit(task, UPDATE, COUNT, load(task, ATOMIC_READ, COUNT) + 1)
        break
      case 'load':
        task.seen = load(task, ATOMIC_READ, COUNT)
        break
      case 'store':
        emit(task, ATOMIC_WRITE, COUNT, task.seen + 1)
        break
      case 'read':
        load(task, READ, DATA)
        break
      case 'write':
        emit(task, WRITE, DATA, 1 + random.below(2))
        break
      case 'raise':
        emit(task, ATOMIC_WRITE, FLAG, 1)
        break
      case 'await':
        load(task, ATOMIC_READ, FLAG)
        break
    }
  }
  return builder.finish({ source: 'hand-made locks', order })
}

function programOf(random: Random): Statement[] {
  const statements: Statement[] = []
  for (let parts = 1 + random.below(2); parts > 0; parts--) {
    const body: Statement[] = []
    for (let length = 1 + random.below(2); length > 0; length--)
      body.push(...random.pick<readonly Statement[]>([['read'], ['write'], ['add'], ['load', 'store']]))
    if (random.chance(0.5)) statements.push('lock', ...body, 'unlock')
    else statements.push(...body)
    if (random.chance(0.3)) statements.push(random.pick(['raise', 'raise', 'await']))
  }
  return statements
}
