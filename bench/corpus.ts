/**
 * The recorded traces of ../shared/corpus: how long `heddle predict` takes, beside the seconds that its README gives for other engines
 * (theirs were measured on another machine, so this says no more than "of that order"). Each trace in a process of its own, as a user
 * would run it, and inside one process, without start-up.
 *
 *   npm run bench:corpus [-- REPEATS]
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { predict } from '../src/predict/predict.ts'
import { openTrace } from '../src/trace/open.ts'
import { KINDS, type Kind } from '../src/witness/candidate.ts'
import { machine, mean, min, table } from './measure.ts'

/** The bench runs compiled, some folders down. */
const ROOT = findRoot(fileURLToPath(new URL('.', import.meta.url)))
const CORPUS = join(ROOT, '../shared/corpus')
const PEERS = ['HB', 'SHB', 'SyncP', 'OSR'] as const
const repeats = Number(process.argv[2] ?? 5)

if (!existsSync(join(CORPUS, 'traces'))) {
  console.log(`There is no ${join(CORPUS, 'traces')}: nothing to measure`)
  process.exit(0)
}

console.log(`${machine()}; seconds, least / mean of ${repeats}`)
const peers = publishedSeconds(readFileSync(join(CORPUS, 'README.md'), 'utf8'))
const paths = readdirSync(join(CORPUS, 'traces'))
  .filter((name) => name.endsWith('.std'))
  .map((name) => join(CORPUS, 'traces', name))
  .sort((a, b) => statSync(a).size - statSync(b).size)
const rows = [['', 'events', 'races', 'wall', 'in process', ...PEERS, 'all kinds', 'wall', 'in process', 'peak MiB']]
for (const path of paths) {
  const name = basename(path, '.std')
  const races = await measure(path, ['data-race'])
  const all = await measure(path, KINDS)
  const theirs = PEERS.map((peer) => peers.get(`${name} ${peer}`) ?? '–')
  rows.push([
    name,
    String(races.events),
    String(races.found),
    races.wall,
    races.inside,
    ...theirs,
    String(all.found),
    all.wall,
    all.inside,
    all.peak,
  ])
}
console.log(table(rows))

async function measure(
  path: string,
  kinds: readonly Kind[],
): Promise<{ events: number; found: number; wall: string; inside: string; peak: string }> {
  const wall: number[] = []
  const inside: number[] = []
  let found = 0
  let events = 0
  let peak = ''
  for (let i = 0; i < repeats; i++) {
    const start = performance.now()
    const words = [join(ROOT, 'bin/heddle.js'), 'predict', path, '--kinds', kinds.join(), '--json']
    const child = spawnSync(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] })
    wall.push((performance.now() - start) / 1000)
    if (child.status !== 0) throw new Error(`heddle predict ${path} ended with ${child.status ?? child.signal}`)
  }
  for (let i = 0; i < repeats; i++) {
    const start = performance.now()
    const trace = openTrace(path)
    found = (await predict(trace, { kinds })).predictions.length
    inside.push((performance.now() - start) / 1000)
    events = trace.eventCount
  }
  peak = (process.resourceUsage().maxRSS / 1024).toFixed(0)
  const say = (list: number[]): string => `${min(list).toFixed(2)} / ${mean(list).toFixed(2)}`
  return { events, found, wall: say(wall), inside: say(inside), peak }
}

/** From the table of the corpus: each cell ends in the seconds. */
function publishedSeconds(readme: string): Map<string, string> {
  const seconds = new Map<string, string>()
  let heads: string[] | undefined
  for (const line of readme.split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim())
    if (cells[1] === 'trace') heads = cells
    else if (heads && cells.length === heads.length) {
      for (const [i, cell] of cells.entries()) {
        const match = /^\d+\/\d+ ([\d.]+)$/.exec(cell)
        if (match) seconds.set(`${cells[1]} ${heads[i]}`, match[1]!)
      }
    }
  }
  return seconds
}

function findRoot(from: string): string {
  return existsSync(join(from, 'package.json')) ? from : findRoot(join(from, '..'))
}
