/**
 * A long fine-grained run, whole and in chunks: which of the planted branches are found, in what time and memory. Each in a process of its own; the whole trace gets
 * a limit, with all of its events and with the critical ones alone.
 *
 *   npm run bench:branch-chunks [-- EVENTS [WINDOW [SECONDS-FOR-THE-WHOLE]]]
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Partition } from '../src/causal/chunk.ts'
import { BranchDecider } from '../src/predict/branches/thread-decide.ts'
import { ChunkedBranches } from './branch-chunked.ts'
import { BRANCH_SETUP } from '../src/predict/branches/thread-smt.ts'
import { Z3 } from '../src/solve/z3.ts'
import type { SymbolicTrace } from '../src/symbolic/symbolic-trace.ts'
import { FINE, generateFine, type Planted } from './branch-generate.ts'
import { machine, table, tell, timedBoth } from './measure.ts'

const SOLVER_MS = 5_000
const SEED = 1

interface Measured {
  readonly events: number
  readonly found: number
  readonly planted: number
  readonly wrong: number
  readonly seconds: { generate: number; cut: number; find: number; cpu: number; z3: number; check: number }
  readonly asked: number
  readonly counts: string
  readonly missed: string
  readonly peak: number
}

const [mode = '', ...words] = process.argv.slice(2)
const [events, window, limit] = [...words.map(Number), 10_000_000, 4_000, 120].slice(0, 3) as [number, number, number]
switch (mode) {
  case 'whole':
  case 'critical':
    await whole(mode === 'critical')
    break
  case 'plain':
  case 'distributed':
    await chunks(mode === 'plain')
    break
  default:
    compare([...process.argv.slice(2), ...[FINE.events, 4_000, 120].map(String).slice(process.argv.length - 2)])
}

function compare(sizes: readonly string[]): void {
  console.log(`${machine()}; ${Number(sizes[0]).toLocaleString('en')} events, windows of ${sizes[1]}, ${sizes[2]} s for the whole`)
  const rows = [['', 'found', 'wrong', 'asked', 'MiB', 'seconds', 'cut', 'find', 'CPU of it', 'Z3', 'check']]
  const notes: string[] = []
  for (const way of ['whole', 'critical', 'plain', 'distributed']) {
    const child = spawnSync(process.execPath, ['--max-old-space-size=6000', fileURLToPath(import.meta.url), way, ...sizes], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: way === 'whole' || way === 'critical' ? (Number(sizes[2]) + 120) * 1000 : 1_200_000,
      killSignal: 'SIGKILL',
    })
    const line = child.stdout.split('\n').findLast((text) => text.startsWith('{'))
    if (line === undefined) {
      const why = /out of memory|heap limit/.test(child.stderr) ? 'out of memory' : child.signal ? 'ended after the limit' : 'failed'
      rows.push([way, why])
      notes.push(`${way}: ${child.stderr.trim().split('\n').slice(0, 3).join(' | ')}`)
      continue
    }
    const { found, planted, wrong, asked, peak, seconds, counts, missed } = JSON.parse(line) as Measured
    const s = (n: number): string => n.toFixed(1)
    rows.push([
      way,
      `${found} of ${planted}`,
      String(wrong),
      String(asked),
      (peak / 2 ** 20).toFixed(0),
      s(seconds.cut + seconds.find),
      s(seconds.cut),
      s(seconds.find),
      s(seconds.cpu),
      s(seconds.z3),
      s(seconds.check),
    ])
    notes.push(`${way}: ${counts}; missed: ${missed}`)
  }
  console.log(table(rows))
  for (const note of notes) console.log(note)
}

/** All branches one after another on the whole trace, until the time is over. */
async function whole(critical: boolean): Promise<void> {
  const { planted, generate } = made()
  const [symbolic, cut] = timedBoth(() => (critical ? criticalOf(planted) : planted))
  const z3 = await Z3.open({ timeoutMs: SOLVER_MS, graceMs: SOLVER_MS * 8, setup: BRANCH_SETUP })
  const found = new Set<string>()
  const seen = new Set<number>()
  let asked = 0
  const started = performance.now()
  const cpu = process.cpuUsage()
  const late = (): boolean => performance.now() - started > limit * 1000
  const decider = new BranchDecider(symbolic)
  const { trace } = symbolic
  for (let b = 0; b < trace.eventCount && !late(); b++) {
    // One of each place is enough to compare with: planted branches occur once.
    if (!decider.isCondition(b) || seen.has(trace.site[b]!)) continue
    seen.add(trace.site[b]!)
    asked++
    const answer = decider.own(b) ?? (await decider.ask(z3, [b])).get(b)!
    if (answer.verdict === 'feasible') found.add(trace.siteName(b))
  }
  z3.close()
  const { user, system } = process.cpuUsage(cpu)
  const find = (performance.now() - started) / 1000
  result(planted, found, asked, `${trace.eventCount} events, ${seen.size} places asked about${late() ? ', not finished' : ''}`, {
    generate,
    cut: cut.ms / 1000,
    find,
    cpu: (user + system) / 1e6,
    z3: decider.solving / 1000,
    check: 0,
  })
}

async function chunks(plain: boolean): Promise<void> {
  const { planted, generate } = made()
  const z3 = await Z3.open({ timeoutMs: SOLVER_MS, graceMs: SOLVER_MS * 8, setup: BRANCH_SETUP })
  const [chunked, cut] = timedBoth(() => new ChunkedBranches(planted, { window, plain, z3 }))
  const found = new Set<string>()
  const started = performance.now()
  const cpu = process.cpuUsage()
  for await (const { branch } of chunked.findings()) found.add(planted.trace.siteName(branch))
  const { user, system } = process.cpuUsage(cpu)
  z3.close()
  const { answers, counts, times, combinations, givenUp } = chunked
  const asked = Object.values(answers).reduce((sum, n) => sum + n, 0)
  const text = `${JSON.stringify(counts)} of ${Number(combinations).toExponential(1)} combinations, ${JSON.stringify(answers)}, given up ${givenUp}`
  const find = (performance.now() - started) / 1000
  result(planted, found, asked, text, {
    generate,
    cut: cut.ms / 1000,
    find,
    cpu: (user + system) / 1e6,
    z3: times.z3 / 1000,
    check: times.checking / 1000,
  })
}

function made(): { planted: Planted; generate: number } {
  const [planted, { ms }] = timedBoth(() => generateFine(SEED, { ...FINE, events }))
  planted.trace.recordedOrder()
  return { planted, generate: ms / 1000 }
}

/** The one chunk that holds everything: inert events are left out, as chunks do. */
function criticalOf(planted: Planted): SymbolicTrace {
  for (const chunk of new Partition(planted, { window: planted.trace.eventCount, reach: 0 }).chunks()) return chunk
  throw new Error('there is nothing to ask')
}

function result(planted: Planted, found: ReadonlySet<string>, asked: number, counts: string, seconds: Measured['seconds']): void {
  const right = [...found].filter((site) => planted.sensitive.has(site))
  const missed = [...planted.sensitive].filter((site) => !found.has(site))
  const kinds = new Map<string, number>()
  for (const kind of missed.map((site) => site.replace(/\d+/, ''))) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  tell({
    events: planted.trace.eventCount,
    found: right.length,
    planted: planted.sensitive.size,
    wrong: found.size - right.length,
    asked,
    counts,
    seconds,
    missed: Array.from(kinds, ([kind, count]) => `${kind} ${count}`).join(', '),
  })
}
