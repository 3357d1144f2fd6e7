/**
 * npm run oracle -- [SEEDS [FROM]]: the comparison of test/decide/oracle.test.ts on SEEDS seeds of every sort of trace (without end unless
 * said), starting with FROM (where the tests stop unless said). Stops at the first difference.
 */
import { compareSeed, Tally } from './compare.ts'
import { SORTS } from './sorts.ts'

const [seeds = Infinity, from = 100_000] = process.argv.slice(2).map(Number)
if (Number.isNaN(seeds) || Number.isNaN(from)) {
  console.error('npm run oracle -- [SEEDS [FROM]]')
  process.exit(2)
}
const tally = new Tally()
const started = performance.now()
const say = (seed: number): void => console.log(`seed ${seed}, ${Math.round((performance.now() - started) / 1000)} s, ${tally}`)
try {
  for (let seed = from; seed < from + seeds; seed++) {
    for (const sort of SORTS.flat()) await compareSeed(sort, seed, tally)
    if ((seed + 1 - from) % 100 === 0) say(seed)
  }
  say(from + seeds - 1)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
