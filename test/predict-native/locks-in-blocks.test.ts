/** Locks that lie in heap blocks: to take one is a use of the block and an acquire in one step. What is predicted is the same as where they lie elsewhere. */
import { expect, test } from 'vitest'
import { sized } from '../layer.ts'
import { Random } from '../../src/base/random.ts'
import { all } from './drawn.ts'

const WIDTH = 70
const LOCKS = ['a', 'b', 'c']
const CELLS = ['x', 'y']

interface Op {
  readonly does: 'acq' | 'rel' | 'r' | 'w'
  readonly target: string
}

/** A few nested sections with reads and writes in them and between them. */
function thread(draw: Random): Op[] {
  const ops: Op[] = []
  const some = (): void => {
    if (draw.chance(0.5)) ops.push({ does: draw.chance(0.5) ? 'r' : 'w', target: draw.pick(CELLS) })
  }
  for (let sections = 1 + draw.below(3); sections > 0; sections--) {
    const held: string[] = []
    for (let depth = 1 + draw.below(2); depth > 0; depth--) {
      const lock = draw.pick(LOCKS)
      if (held.includes(lock)) continue
      held.push(lock)
      ops.push({ does: 'acq', target: lock })
      some()
    }
    for (const lock of held.reverse()) ops.push({ does: 'rel', target: lock })
    some()
  }
  return ops
}

/** A run that ends, as a drawing; `use` says what comes before an acquire. Undefined where the threads stopped in a deadlock. */
function program(seed: number, use: (lock: string, site: string) => string): string | undefined {
  const draw = new Random(seed)
  const threads = Array.from({ length: 2 + draw.below(2) }, () => thread(draw))
  const names = threads.map((_, i) => `"thread ${i + 1}"`)
  const lines = [['main', ...names].map((n) => n.padEnd(WIDTH)).join('')]
  const put = (i: number, text: string): number => lines.push(' '.repeat(WIDTH * (i + 1)) + text)
  for (const lock of LOCKS) lines.push(`alloc("${lock}.c:1#1") @${lock}.c:1`)
  for (const cell of CELLS) lines.push(`w(${cell})=0 @m.c:1`)
  for (const [i, name] of names.entries()) lines.push(`fork(${name}) @m.c:${i + 2}`)
  for (const i of threads.keys()) put(i, 'begin')
  const holder = new Map<string, number>()
  const value = new Map<string, number>()
  const done = threads.map(() => 0)
  for (;;) {
    const left = [...threads.keys()].filter((i) => done[i]! < threads[i]!.length)
    const able = left.filter((i) => threads[i]![done[i]!]!.does !== 'acq' || !holder.has(threads[i]![done[i]!]!.target))
    if (able.length === 0 && left.length > 0) return undefined
    if (left.length === 0) break
    const i = draw.pick(able)
    const { does, target } = threads[i]![done[i]!++]!
    const site = `@t${i}.c:${done[i]}`
    if (does === 'acq') {
      holder.set(target, i)
      put(i, `${use(target, site)}acq("${target}.c:1#1+0") ${site}`)
    } else if (does === 'rel') {
      holder.delete(target)
      put(i, `rel("${target}.c:1#1+0") ${site}`)
    } else {
      if (does === 'w') value.set(target, 1 + draw.below(2))
      put(i, `${does}(${target})=${value.get(target) ?? 0} ${site}`)
    }
  }
  for (const i of threads.keys()) put(i, 'end')
  for (const name of names) lines.push(`join(${name})`)
  for (const lock of LOCKS) lines.push(`free("${lock}.c:1#1") @m.c:90`)
  return lines.join('\n')
}

const predicted = (text: string): string[] =>
  all(text)
    .map((p) => `${p.kind} ${p.sites.join(' ')}`)
    .sort()

test('the same is predicted, whether the locks lie in heap blocks or not', () => {
  let found = 0
  for (let seed = 1; seed <= sized(30, 3000); seed++) {
    const elsewhere = program(seed, () => '')
    if (elsewhere === undefined) continue
    const there = predicted(elsewhere)
    const inBlocks = program(seed, (lock, site) => `call(pointer.use)=#${lock}.c:1#1 ${site} `)!
    expect(predicted(inBlocks), `seed ${seed}`).toEqual(there)
    found += there.length
  }
  expect(found).toBeGreaterThan(30)
})
