/** Small random symbolic traces in which tasks are inside sections most of the time: where they are cut, somebody holds a lock, or several do. */
import { Random } from '../../src/base/random.ts'
import { parseSymbolic } from '../../src/symbolic/text.ts'
import type { SymbolicTrace } from '../../src/symbolic/symbolic-trace.ts'

const WIDTH = 34
const PLACES = ['x', 'y']

export function randomSections(seed: number): SymbolicTrace {
  const random = new Random(seed)
  const memory: Record<string, number> = { x: 0, y: 0 }
  const owner: Record<string, number | undefined> = {}
  const tasks = [0, 1, 2].map((t) => script(random, ['l', 'm', 'n'][t === 2 ? random.below(2) : t]!))
  const rows = ['T0'.padEnd(WIDTH) + 'T1'.padEnd(WIDTH) + 'T2', 'w(x)=0', 'w(y)=0']
  for (let left = 200; left > 0 && tasks.some((list) => list.length > 0); left--) {
    const t = random.below(3)
    const [op, name] = tasks[t]![0]?.split(' ') ?? []
    if (op === undefined || name === undefined) continue
    let text: string
    if (op === 'acq') {
      if (owner[name] !== undefined && owner[name] !== t) continue
      owner[name] = t
      text = `acq(${name})`
    } else if (op === 'rel') {
      owner[name] = undefined
      text = `rel(${name})`
    } else if (op === 'w') {
      memory[name] = random.below(3)
      text = `w(${name})=${memory[name]}`
    } else text = `r(${name})=${memory[name]}`
    // A decision follows its read at once, so that the value it is recorded with is the one that was read.
    const indent = ' '.repeat(WIDTH * t)
    rows.push(indent + text)
    tasks[t]!.shift()
    if (op === 'r') {
      rows.push(`${indent}branch(if)=${memory[name]! > 0} : ${name} > 0`)
    }
  }
  return parseSymbolic(rows.join('\n'))
}

/** One or two sections, nested or not, of at most a few accesses. */
function script(random: Random, lock: string): string[] {
  const access = (): string => `${random.chance(0.5) ? 'r' : 'w'} ${random.pick(PLACES)}`
  const list = [`acq ${lock}`, access(), access()]
  if (random.chance(0.3)) list.push('acq n', access(), 'rel n')
  list.push(`rel ${lock}`)
  return list
}
