/**
 * Random small programs: is every branch that `heddle check --branches` confirms flipped by some order of the program, and how many of those that are does
 * it find? In parentheses: missed, and flipped only where another branch went another way before. Orders are tried exhaustively, in this process and, with --replays, under the replayer as well.
 *
 *     npx tsx scripts/explore-branches.ts [--seeds 100] [--from 1] [--threads] [--replays] [--show]
 */
import { parseArgs } from 'node:util'
import { compareTasks, compareThreads, wrongOf } from '../test/branches/random-compare.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    /** Programs of two threads instead of async tasks. */
    threads: { type: 'boolean', default: false },
    replays: { type: 'boolean', default: false },
    /** Print programs in which something was missed. */
    show: { type: 'boolean', default: false },
  },
})

const from = Number(values.from)
let programs = 0
let orders = 0
let truths = 0
let found = 0
let firsts = 0
let firstsFound = 0
let wrong = 0
let complaints = 0
for (let seed = from; seed < from + Number(values.seeds); seed++) {
  const compared = await (values.threads ? compareThreads : compareTasks)(seed, values.replays)
  if (!compared) continue
  const { truth, replayed, seconds } = compared
  const bad = wrongOf(compared)
  const missed = truth.filter((line) => !compared.found.includes(line))
  programs++
  orders += compared.orders
  truths += truth.length
  found += truth.length - missed.length
  firsts += compared.first.length
  firstsFound += compared.first.filter((line) => compared.found.includes(line)).length
  wrong += bad.length
  complaints += compared.complaints.length
  const differs = replayed && replayed.join() !== truth.join() ? `, replays flip ${replayed.join() || 'none'}` : ''
  console.log(
    `seed ${seed}: ${compared.orders} orders, true ${truth.join() || 'none'}, missed ${missed.map((line) => (compared.first.includes(line) ? `${line}` : `(${line})`)).join() || 'none'}` +
      `${bad.length > 0 ? `, WRONG ${bad.join()}` : ''}${differs}, ${seconds.toFixed(1)} s`,
  )
  for (const complaint of compared.complaints) console.log(`  ${complaint}`)
  if (values.show && (missed.length > 0 || bad.length > 0 || differs)) console.log(compared.source.replace(/^/gm, '    '))
}
const share = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`)
console.log(
  `${programs} programs, ${orders} orders: ${truths} branches are sensitive, ${found} of them found (${share(found, truths)}), ` +
    `of the ${firsts} that can be the first to go another way ${firstsFound} (${share(firstsFound, firsts)}), ` +
    `${wrong} wrong (precision ${share(found, found + wrong)})${complaints > 0 ? `, ${complaints} complaints` : ''}`,
)
if (wrong > 0 || complaints > 0) process.exitCode = 1
