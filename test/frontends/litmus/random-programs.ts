/** Random little programs, few lines each: idioms that are right or wrong, put together by lot. What is asserted at the end is what the recorded run had. */
import type { Random } from '../../../src/base/random.ts'
import { compile } from './compile.ts'
import { runFreely } from './follow.ts'
import { Loop, expiry } from './loop.ts'
import { Threads } from './threads.ts'

const VARIABLES = ['x', 'y']
const LOCKS = ['m', 'n']

type Piece = (random: Random) => readonly string[]

const some = (random: Random): string => random.pick(VARIABLES)
const locked = (lock: string, body: readonly string[]): string[] => [`lock ${lock}`, ...body, `unlock ${lock}`]

const ACCESS: readonly Piece[] = [
  (random) => increment(some(random)),
  (random) => [`${some(random)} = ${1 + random.below(3)}`],
  (random) => [`add ${some(random)} 1`],
  (random) => [`${some(random)} = ${some(random)}`],
  (random) => [`if ${some(random)} == ${random.below(2)} {`, `  ${some(random)} = ${1 + random.below(3)}`, '}'],
  (random) => {
    const x = some(random)
    return [`r = ${x}`, `assert r == ${x}`]
  },
  (random) => [`assert ${some(random)} != ${random.below(4)}`],
]

const THREADS: readonly Piece[] = [
  ...ACCESS,
  (random) => locked(random.pick(LOCKS), random.pick(ACCESS)(random)),
  (random) => locked(random.pick(LOCKS), random.pick(ACCESS)(random)),
  (random) => {
    const [outer, inner] = random.chance(0.5) ? LOCKS : [...LOCKS].reverse()
    return locked(outer!, locked(inner!, random.pick(ACCESS)(random)))
  },
  // Waits for what another thread says; notified under the lock, or not.
  (random) => locked('m', random.chance(0.5) ? ['while f == 0 { wait c with m }'] : ['if f == 0 { wait c with m }']),
  (random) => (random.chance(0.5) ? locked('m', ['f = 1', 'notifyAll c']) : ['f = 1', random.chance(0.5) ? 'notify c' : 'notifyAll c']),
]

const TASKS: readonly Piece[] = [
  ...ACCESS.filter((_, i) => i !== 2),
  (random) => [`sleep ${random.pick([2, 5])}`],
  (random) => [`fetch ${random.pick([1, 3, 7])}`],
  (random) => {
    const x = some(random)
    return [`r = ${x}`, random.chance(0.5) ? `fetch ${random.pick([1, 3])}` : `sleep ${random.pick([2, 5])}`, `${x} = r + 1`]
  },
  () => ['q = load f', 'save f q + 1'],
  (random) => {
    const x = some(random)
    return [`r = ${x}`, `fetch ${random.pick([1, 3])}`, `${x} = r + 1`, `sleep ${random.pick([2, 5])}`]
  },
  (random) => [`${some(random)} = load f in ${random.pick([1, 4])}`],
  (random) => [`save f ${1 + random.below(3)} in ${random.pick([1, 4])}`],
]

const increment = (x: string): string[] => [`r = ${x}`, `${x} = r + 1`]

/** Lines of the units, each at least one piece. */
function unitsOf(random: Random, word: 'thread' | 'task', pieces: readonly Piece[], most: number): string[] {
  const count = random.chance(0.3) ? 3 : 2
  return Array.from({ length: count }, (_, i) => {
    const body = Array.from({ length: 1 + random.below(most) }, () => random.pick(pieces)(random)).flat()
    return [`${word} ${'ABC'[i]}:`, ...body.map((line) => `  ${line}`)]
  }).flat()
}

/** The recorded order is drawn with `seed`. undefined where that run fails. */
export function randomThreads(random: Random, seed: number): string | undefined {
  const text = ['var x = 0, y = 0, f = 0', ...unitsOf(random, 'thread', THREADS, 2)].join('\n')
  const threads = new Threads(compile(text))
  const { state } = runFreely(threads, seed)
  if (state.failure || threads.isStuck(state)) return undefined
  return withFinal(random, text, state.variables)
}

export function randomTasks(random: Random): string | undefined {
  const text = ['var x = 0, y = 0', ...unitsOf(random, 'task', TASKS, 3)].join('\n')
  const loop = new Loop(compile(text))
  const state = loop.begin()
  while (state.pending.length > 0 && !state.failure) {
    const next = state.pending.reduce((a, b) => (expiry(b) < expiry(a) ? b : a))
    state.now = Math.max(state.now, expiry(next))
    loop.answer(state, next)
  }
  return state.failure ? undefined : withFinal(random, text, state.variables)
}

function withFinal(random: Random, text: string, variables: Readonly<Record<string, number>>): string {
  const asserted = VARIABLES.filter(() => random.chance(0.6))
  return [text, ...asserted.map((x) => `final assert ${x} == ${variables[x]}`)].join('\n')
}
