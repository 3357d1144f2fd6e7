/** How a run of a native program ended: the runtime's result, with sites for addresses, in the terms of the contract. */
import type { SeenViolation } from '../../property/seen.ts'
import type { Schedule } from '../../schedule/schedule.ts'
import type { EndedInside } from '../contract.ts'
import { orNothing } from '../../base/or-nothing.ts'
import { cycleFirst, heldBy, notesOf, stepsOf } from '../threads/ended.ts'
import { KIND, VERBS } from './kinds.ts'
import { readNativeRun, type NativeRun } from './read-run.ts'
import { readResult, type RuntimeViolation, type Waits } from './result.ts'
import { Symbols } from './symbols.ts'

/** Is there nothing that can go on? Asked while the program runs. */
export const isDeadlocked = (folder: string): boolean => readResult(folder).deadlock

/** `toDraw`: the threads are given back, too. `onRead`: is told of them. */
export function endOf(folder: string, root: string, schedule: Schedule, toDraw: boolean, onRead?: (run: NativeRun) => void): EndedInside {
  const result = readResult(folder)
  if (!result.started) return { waiting: [], notes: [], seen: [] }
  const symbols = Symbols.open(folder, root)
  const { crash, violations, waits, lines, deadlock } = result
  symbols.load([
    ...violations.flatMap(({ pc, earlierPc, callers }) => [pc, earlierPc, ...callers]),
    ...waits.flatMap(({ pc, callers }) => [pc, ...callers]),
    ...(crash?.stack ?? []),
    ...lines.map(({ pc }) => pc),
  ])
  const threads = toDraw ? orNothing(() => readNativeRun(folder, { root })) : undefined
  if (threads) onRead?.(threads)
  return {
    waiting: deadlock ? cycleFirst(waits, KIND.JOIN).flatMap((one) => [waitText(one, symbols), ...calledFrom(one, symbols)]) : [],
    notes: schedule.kind === 'holds' ? notesOf(result) : [],
    steps:
      schedule.kind === 'steps'
        ? stepsOf(
            result,
            schedule,
            lines.map(({ pc }) => siteAt(pc, symbols)),
          )
        : undefined,
    seen: violations.map((violation) => seen(violation, symbols)),
    threads,
    crash: crash && { task: crash.thread, stack: crash.stack.flatMap((pc) => symbols.frames(pc)) },
  }
}

/** `thread 1 at queue.c:31 put`: where a run crashed; undefined if it did not. */
export function crashPlace(folder: string, root: string): string | undefined {
  const { crash } = readResult(folder)
  if (!crash) return undefined
  const symbols = Symbols.open(folder, root)
  symbols.load(crash.stack)
  const stack = crash.stack.flatMap((pc) => symbols.frames(pc))
  // The first frames of an abort are the library's.
  const place = stack.find((frame) => !/^(\.\/|\/usr\/|\/lib)/.test(frame) && /:\d/.test(frame)) ?? stack[0] ?? 'an unknown place'
  return `${crash.thread} at ${place}`
}

const LOCKS = new Set<number>([KIND.LOCK, KIND.UNLOCK, KIND.LOCK_SHARED, KIND.UNLOCK_SHARED, KIND.TRY_FAILED])

/** The runtime knows what a step is, not where it is in the source. */
const siteAt = (pc: number, symbols: Symbols): string => (pc === 0 ? '' : symbols.site(pc).split(' < ')[0]!)

/** The place and those who called it. A site in library code is its caller already. */
function stackOf(pc: number, callers: readonly number[], symbols: Symbols): string[] {
  const inner = symbols.frames(pc)
  const outer = callers.flatMap((caller) => symbols.frames(caller))
  return [...inner, ...outer.slice(outer[0] === inner.at(-1) ? 1 : 0)]
}

function calledFrom({ pc, callers }: Waits, symbols: Symbols): string[] {
  const outer = stackOf(pc, callers, symbols).slice(symbols.frames(pc).length)
  return outer.length === 0 ? [] : [`  called from ${outer.join(', ')}`]
}

function waitText(waits: Waits, symbols: Symbols): string {
  const { thread, kind, object, pc } = waits
  const name = symbols.data(object)
  const what = name ? ` ${name.name}${name.offset > 0 ? `+${name.offset}` : ''}` : ''
  const at = placed(symbols.site(pc))
  if (kind === KIND.JOIN) return `${thread} waits for the end of another thread${at}`
  if (kind === KIND.WOKEN)
    return `${thread} waits for a signal of ${what === '' ? 'a condition variable' : what.slice(1)}${at}, and no thread is left to give it`
  if (kind === KIND.SEM_WAIT) return `${thread} waits for semaphore${what}${at}`
  if (kind === KIND.BARRIER_LEAVE) return `${thread} waits at barrier${what}${at}`
  if (!LOCKS.has(kind)) return `${thread} waits${at}`
  return `${thread} waits for ${what === '' ? 'a lock' : `lock${what}`}${at}${heldBy(waits)}`
}

const placed = (site: string): string => (site === '' ? '' : ` (${site.split(' < ')[0]!})`)

const MACHINES: readonly (readonly [RegExp, string])[] = [
  [/free/, 'Memory'],
  [/lock/, 'Lock'],
  [/stream/, 'Stream'],
  [/close|descriptor/, 'Descriptor'],
]

/** The rule in words, with what has been done before. */
const WORDS: Readonly<Record<string, readonly [string, string]>> = {
  'use after free': ['uses memory', 'freed it'],
  'double free': ['frees memory', 'freed it'],
  'bad free': ['frees memory that is no whole block', 'freed it'],
  'unlock of a free lock': ['unlocks a lock that nobody holds', 'unlocked it'],
  'unlock by another thread': ['unlocks a lock that another thread holds', 'locked it'],
  'use of a destroyed lock': ['uses a lock', 'destroyed it'],
  'destroy of a held lock': ['destroys a lock that is held', 'locked it'],
  'use of a closed descriptor': ['uses a descriptor', 'closed it'],
  'double close': ['closes a descriptor', 'closed it'],
  'use of a closed stream': ['uses a stream', 'closed it'],
}

/** What was done, and what had been done before, in the words of rows of reports. */
const DOES: Readonly<Record<string, readonly [string, string]>> = {
  'use after free': ['use', 'free'],
  'double free': ['free', 'free'],
  'bad free': ['free', 'free'],
  'unlock of a free lock': ['unlock', 'unlock'],
  'unlock by another thread': ['unlock', 'lock'],
  'use of a destroyed lock': ['use', 'destroy lock'],
  'destroy of a held lock': ['destroy lock', 'lock'],
  'use of a closed descriptor': ['use', 'close'],
  'double close': ['close', 'close'],
  'use of a closed stream': ['use', 'close stream'],
}

function seen({ rule, thread, object, pc, earlier, earlierPc, callers }: RuntimeViolation, symbols: Symbols): SeenViolation {
  // "unlock of a free lock" is about the lock.
  const property = /lock/.test(rule) ? 'Lock' : (MACHINES.find(([about]) => about.test(rule))?.[1] ?? 'Memory')
  const [now, before] = WORDS[rule] ?? [rule, 'touched it']
  const [at, there] = [stackOf(pc, callers, symbols), earlierPc === 0 ? [] : symbols.frames(earlierPc)]
  const known = symbols.data(object)
  // An address is another one in every run.
  const what = /descriptor|close$/.test(rule)
    ? `descriptor ${object}`
    : (known?.name ?? (property === 'Memory' ? 'memory' : `a ${property.toLowerCase()}`))
  const who = thread === '' ? 'The program' : thread
  const earlierWords =
    earlier === '' && there.length === 0
      ? ''
      : ` after ${earlier === '' ? 'another thread' : earlier === thread ? 'it' : earlier} ${before}${placed(there[0] ?? '')}`
  const [does, did] = DOES[rule] ?? ['use', 'use']
  const event = (name: string, does: string, task: string, stack: readonly string[]) => ({
    name,
    does,
    ...(Object.hasOwn(VERBS, does) ? { verb: VERBS[does]! } : {}),
    what,
    object: what,
    stack,
    turn: '',
    task,
  })
  return {
    property,
    kind: 'typestate',
    confirm: 'violation',
    rule,
    says: `${rule.charAt(0).toUpperCase()}${rule.slice(1)}: ${who} ${now}${placed(at[0] ?? '')}${earlierWords}.`,
    binding: { object: what },
    events: [
      ...(there.length === 0 ? [] : [event('first', did, earlier, there)]),
      event(there.length === 0 ? 'now' : 'then', does, thread, at),
    ],
    shape: `${rule}: ${at[0] ?? ''} ${there[0] ?? ''}`,
  }
}
