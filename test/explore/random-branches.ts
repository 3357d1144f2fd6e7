/** Random little programs of two to four threads in which what was read opens other code: nested branches, locks, waits, threads that start others. */
import type { Random } from '../../src/base/random.ts'

const VARIABLES = ['x', 'y', 'z']
const LOCKS = ['m', 'n']

type Lines = readonly string[]

const indented = (lines: Lines): Lines => lines.map((line) => `  ${line}`)
const some = (random: Random): string => random.pick(VARIABLES)
const locked = (lock: string, lines: Lines): Lines => [`lock ${lock}`, ...lines, `unlock ${lock}`]

/** `room`: how many pieces may still be put into one another. */
function piece(random: Random, room: number): Lines {
  const inner = (): Lines => pieces(random, 1, room - 1)
  switch (random.below(room > 0 ? 12 : 5)) {
    case 0:
      return [`${some(random)} = ${random.below(3)}`]
    case 1:
      return [`add ${some(random)} 1`]
    case 2:
      return [`${some(random)} = ${some(random)} + ${random.below(2)}`]
    case 3:
      return [`r = ${some(random)}`]
    case 4:
      return random.chance(0.4) ? [`assert ${some(random)} != ${2 + random.below(3)}`] : [`${some(random)} = ${1 + random.below(2)}`]
    case 5:
    case 6:
    case 7:
      return [`if ${some(random)} == ${random.below(3)} {`, ...indented(inner()), '} else {', ...indented(inner()), '}']
    case 8:
      return [`if ${some(random)} > ${random.below(2)} {`, ...indented(inner()), '}']
    case 9:
      return locked(random.pick(LOCKS), inner())
    case 10:
      return locked('m', [random.chance(0.5) ? 'while f == 0 { wait c with m }' : 'if f == 0 { wait c with m }'])
    default:
      return random.chance(0.5) ? locked('m', ['f = 1', 'notifyAll c']) : ['f = 1', random.chance(0.5) ? 'notify c' : 'notifyAll c']
  }
}

const pieces = (random: Random, most: number, room: number): Lines =>
  Array.from({ length: 1 + random.below(most) }, () => piece(random, room)).flat()

export function randomBranches(random: Random): string {
  const count = 2 + random.below(3)
  const most = count === 2 ? 3 : count === 3 ? 2 : 1
  const threads = Array.from({ length: count }, (_, i) => [`thread ${'ABCD'[i]}:`, ...indented(pieces(random, most, count === 4 ? 1 : 2))])
  const final = random.chance(0.3) ? [`final assert ${some(random)} != ${2 + random.below(2)}`] : []
  return ['var x = 0, y = 0, z = 0, f = 0', ...threads.flat(), ...final].join('\n')
}
