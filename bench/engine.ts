/**
 * The engine of `heddle predict` on five shapes of traces (engine-shapes.ts), beside peers (peers.ts) on the same traces in the same run.
 *
 *   npm run bench:engine -- SEEDS [SIZES [PARTS [WORKERS]]]      seeds separated by commas; sizes such as 10k,100k,1m,10m; workers 1 or 1,2
 *
 * Parts are the shapes few,any-order,many,contended,lock-free, and of one size each: causes (more and more of them), z3, ungrouped, pairs (CP and UCG of seed 004).
 *
 * Every measurement runs in a process of its own, reading included. CPU seconds are those of all threads. Unless said: seed 1, 10k and 100k, all parts, one worker and two.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Decider } from '../src/predict/decide/decider.ts'
import { SMT_SETUP } from '../src/predict/decide/encode-smt.ts'
import { Z3Decider } from '../src/predict/decide/z3-decider.ts'
import { predict } from '../src/predict/predict.ts'
import { Accesses } from '../src/predict/propose/accesses.ts'
import { dataRaces } from '../src/predict/propose/data-race.ts'
import { noneRuledOut } from '../src/predict/propose/group.ts'
import { Z3 } from '../src/solve/z3.ts'
import { cpRaces } from '../test/seeds/causally-precedes.ts'
import { writeTrace } from '../src/trace/file.ts'
import { openTrace } from '../src/trace/open.ts'
import type { Kind } from '../src/witness/candidate.ts'
import { repeated, SHAPES, traceOf, type ShapeName } from './engine-shapes.ts'
import { fresh, machine, table, tell } from './measure.ts'
import { shb, syncPreserving } from './peers.ts'

const SELF = fileURLToPath(import.meta.url)
const KINDS: readonly Kind[] = ['data-race', 'atomicity', 'order-violation', 'deadlock']
/** The peer looks at every pair of tasks of a location; beyond this it takes minutes. */
const MOST_SYNCP = 1_000_000
/** A question that Z3 does not answer in this time counts as this time. */
const Z3_SECONDS = 60

interface Measured {
  readonly cpu: number
  readonly wall: number
  readonly first?: number
  readonly found: number
  readonly causes?: number
  readonly unknown?: number
}

const [mode, ...rest] = process.argv.slice(2)
if (mode === '--write') write(rest[0]!, rest[1] as ShapeName, Number(rest[2]), Number(rest[3]), Number(rest[4]))
else if (mode === '--predict') await measurePredict(rest[0]!, rest[1]!.split(',') as Kind[], Number(rest[2]))
else if (mode === '--peer') measurePeer(rest[0]!, rest[1]!)
else if (mode === '--z3') await measureZ3(rest[0]!)
else if (mode === '--ungrouped') await measureUngrouped(Number(rest[0]))
else if (mode === '--pairs') await measurePairs(Number(rest[0]))
else main(process.argv.slice(2))

function write(path: string, shape: ShapeName, events: number, seed: number, racing: number): void {
  writeTrace(traceOf(shape, seed, events, racing), path)
  tell({})
}

function spent(start: number): { cpu: number; wall: number } {
  const { user, system } = process.cpuUsage()
  return { cpu: (user + system) / 1e6, wall: (performance.now() - start) / 1000 }
}

async function measurePredict(path: string, kinds: readonly Kind[], workers: number): Promise<void> {
  const start = performance.now()
  let first: number | undefined
  const found = await predict(openTrace(path), { kinds, workers, onPrediction: () => (first ??= (performance.now() - start) / 1000) })
  const rows = found.coverage.saved()
  const causes = rows.reduce((sum, row) => sum + row.causes, 0)
  const unknown = rows.reduce((sum, row) => sum + Object.values(row.unknown).reduce((a, b) => a + b, 0), 0)
  tell({ ...spent(start), first, found: found.predictions.length, causes, unknown } satisfies Measured | { first: undefined })
}

function measurePeer(path: string, name: string): void {
  const start = performance.now()
  const { events } = name === 'shb' ? shb(openTrace(path)) : syncPreserving(openTrace(path))
  tell({ ...spent(start), found: events.size })
}

/** Eight questions that neither must-order nor locks settle: ours, then Z3's. */
async function measureZ3(path: string): Promise<void> {
  const trace = openTrace(path)
  const decider = new Decider(trace, 'data')
  const z3 = await Z3.open({ timeoutMs: Z3_SECONDS * 1000, setup: SMT_SETUP })
  const theirs = new Z3Decider(z3, trace, 'data')
  const [ours, z3Times]: [number[], number[]] = [[], []]
  let different = 0
  outer: for (const group of dataRaces(decider.causality, decider.must, new Accesses(decider.causality))) {
    for (const candidate of group.candidates(noneRuledOut())) {
      const a = performance.now()
      const mine = decider.decide(candidate)
      const b = performance.now()
      const answer = await theirs.decide(candidate)
      ours.push((b - a) / 1000)
      z3Times.push(answer.feasible === undefined ? Z3_SECONDS : (performance.now() - b) / 1000)
      if (answer.feasible !== undefined && mine.verdict !== 'unknown' && answer.feasible !== (mine.verdict === 'feasible')) different++
      if (ours.length === 8) break outer
      break
    }
  }
  z3.close()
  const sum = (list: readonly number[]): number => list.reduce((x, y) => x + y, 0)
  tell({ questions: ours.length, ours: sum(ours), z3: sum(z3Times), flavour: z3.flavour, different })
}

/** Every pair of three places that race over and over, each with a witness of its own; SHB on the same trace. */
async function measureUngrouped(seed: number): Promise<void> {
  const trace = repeated(seed, 22_000)
  const [{ predictions }, cpu] = await cpuOf(() => predict(trace, { kinds: ['data-race'], workers: 1, ungrouped: true }))
  const [, peer] = await cpuOf(() => shb(trace))
  tell({ pairs: predictions.length, cpu, peer })
}

/** Pairs without an order on a short trace, as seed 004's tables count them: by CP (its definition, so cubic), by UCG (no rule for reads), and feasible ones. */
async function measurePairs(seed: number): Promise<void> {
  const trace = traceOf('contended', seed, 300)
  const [cp, cpCpu] = await cpuOf(() => cpRaces(trace).length)
  const races = (model: 'sync' | 'data'): Promise<[number, number]> =>
    cpuOf(async () => (await predict(trace, { kinds: ['data-race'], workers: 1, ungrouped: true, model })).predictions.length)
  const [ucg, ucgCpu] = await races('sync')
  const [ours, oursCpu] = await races('data')
  tell({ cp, cpCpu, ucg, ucgCpu, ours, oursCpu })
}

async function cpuOf<T>(action: () => T | Promise<T>): Promise<[T, number]> {
  const before = process.cpuUsage()
  const result = await action()
  const { user, system } = process.cpuUsage(before)
  return [result, (user + system) / 1e6]
}

function main(words: readonly string[]): void {
  const seeds = (words[0] ?? '1').split(',').map(Number)
  const sizes = (words[1] ?? '10k,100k').split(',').map(sizeOf)
  const parts = words[2]?.split(',') ?? [...SHAPES, 'causes', 'z3', 'ungrouped', 'pairs']
  const workers = (words[3] ?? '1,2').split(',').map(Number)
  console.log(`${machine()}; seeds ${seeds.join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'heddle-engine-'))
  const path = join(folder, 'trace.heddle')
  try {
    for (const seed of seeds) {
      for (const shape of SHAPES) if (parts.includes(shape)) ofShape(path, seed, shape, sizes, workers)
      if (parts.includes('causes')) causesGrow(path, seed)
      if (parts.includes('z3')) besideZ3(path, seed)
      if (parts.includes('ungrouped')) ungroupedPairs(seed)
      if (parts.includes('pairs')) pairsOfSeed004(seed)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function ofShape(path: string, seed: number, shape: ShapeName, sizes: readonly number[], workers: readonly number[]): void {
  const points: { events: number; cpu: number }[] = []
  for (const events of sizes) {
    fresh(SELF, ['--write', path, shape, String(events), String(seed), '20'])
    console.log(`\n${shape}, seed ${seed}, ${events.toLocaleString('en')} events; ${machine()}`)
    const rows = [['', ...workers.flatMap((n) => [`CPU s, ${n}`, `wall s, ${n}`]), 'MiB', 'first after s', 'found', 'causes', 'unknown']]
    for (const kinds of [...KINDS.map((kind) => [kind]), KINDS]) {
      const all = workers.map((n) => fresh<Measured>(SELF, ['--predict', path, kinds.join(), String(n)]))
      const [one] = all
      for (const other of all)
        if (one!.found !== other.found) throw new Error(`${one!.found} predictions, and ${other.found} with more threads`)
      if (kinds.length > 1) points.push({ events, cpu: one!.cpu })
      rows.push([
        kinds.length > 1 ? 'all four' : kinds[0]!,
        ...all.flatMap(({ cpu, wall }) => [cpu.toFixed(2), wall.toFixed(2)]),
        (one!.peak / 2 ** 20).toFixed(0),
        one!.first?.toFixed(2) ?? '–',
        String(one!.found),
        String(one!.causes),
        String(one!.unknown),
      ])
    }
    for (const peer of ['shb', 'syncp']) {
      if (peer === 'syncp' && events > MOST_SYNCP) continue
      const { cpu, wall, peak, found } = fresh<Measured>(SELF, ['--peer', path, peer])
      const others = workers.slice(1).flatMap(() => ['', ''])
      rows.push([`${peer} (races)`, cpu.toFixed(2), wall.toFixed(2), ...others, (peak / 2 ** 20).toFixed(0), '', String(found), '', ''])
    }
    console.log(table(rows))
    console.log(machine())
  }
  for (let i = 1; i < points.length; i++)
    console.log(
      `  ${shape}: CPU grows with exponent ${exponent(points[i - 1]!, points[i]!)} up to ${points[i]!.events.toLocaleString('en')} events`,
    )
  if (points.length > 2) console.log(`  ${shape}: from the first to the last size ${exponent(points[0]!, points.at(-1)!)}`)
}

function besideZ3(path: string, seed: number): void {
  fresh(SELF, ['--write', path, 'contended', '1000', String(seed), '20'])
  const z3 = fresh<Record<string, number | string>>(SELF, ['--z3', path])
  console.log(
    `\nZ3 (${z3['flavour']}), contended, 1,000 events, model data: ${z3['questions']} questions in ${Number(z3['z3']).toFixed(2)} s, ours ${Number(z3['ours']).toFixed(3)} s, ${z3['different']} answered differently`,
  )
}

function ungroupedPairs(seed: number): void {
  const pairs = fresh<Record<string, number>>(SELF, ['--ungrouped', String(seed)])
  console.log(
    `\nungrouped: ${pairs['pairs']} pairs of three places in ${pairs['cpu']!.toFixed(2)} CPU s, SHB ${pairs['peer']!.toFixed(2)} (racy accesses, no witnesses)`,
  )
}

function pairsOfSeed004(seed: number): void {
  const seed004 = fresh<Record<string, number>>(SELF, ['--pairs', String(seed)])
  console.log(
    `\ncontended, 300 events, pairs: CP ${seed004['cp']} in ${seed004['cpCpu']!.toFixed(2)} CPU s, UCG ${seed004['ucg']} in ${seed004['ucgCpu']!.toFixed(2)}, ours ${seed004['ours']} in ${seed004['oursCpu']!.toFixed(2)}`,
  )
}

/** The same number of events, 5 to 80 racing places for every 1,000 of them. */
function causesGrow(path: string, seed: number): void {
  const points: { events: number; cpu: number; found: number }[] = []
  for (const racing of [5, 20, 80]) {
    fresh(SELF, ['--write', path, 'many', '50000', String(seed), String(racing)])
    const { cpu, found } = fresh<Measured>(SELF, ['--predict', path, KINDS.join(), '1'])
    points.push({ events: racing, cpu, found })
  }
  console.log('\n50,000 events, racing places for every 1,000 events: CPU s, predictions')
  for (const { events, cpu, found } of points) console.log(`  ${events}: ${cpu.toFixed(2)} s, ${found}`)
  console.log(`  exponent in racing places: ${exponent(points[0]!, points[1]!)}, ${exponent(points[1]!, points[2]!)}`)
}

function exponent(a: { events: number; cpu: number }, b: { events: number; cpu: number }): string {
  return (Math.log(b.cpu / a.cpu) / Math.log(b.events / a.events)).toFixed(2)
}

function sizeOf(word: string): number {
  const match = /^(\d+)([km]?)$/i.exec(word)
  if (!match) throw new Error(`${word} is no number of events`)
  return Number(match[1]) * { '': 1, k: 1000, m: 1_000_000 }[match[2]!.toLowerCase() as '' | 'k' | 'm']
}
