/**
 * Pairs of typestates (src/predict/typestate) on long traces of calls: how fast they stream, what the tables hold with different windows, with and without leaving out what is
 * never matched, and against the algorithm as the paper has it, written down plainly.
 *
 *   npm run bench:typestate [-- EVENTS]        10 million unless said
 *
 * The trace: 8 tasks and 100 thousand files, 2,000 of them open at a time. A file is opened, used some hundred times at a few of 400 sites, and closed; one in four is
 * handed to a second task. One call in twenty goes to a file that all tasks share and nobody closes.
 */
import { fileURLToPath } from 'node:url'
import { Random } from '../src/base/random.ts'
import { Causality } from '../src/causal/causality.ts'
import { MustOrder } from '../src/causal/must-order.ts'
import { ThreadRun } from '../src/causal/thread-run.ts'
import { typestatePairs } from '../src/predict/typestate/pairs.ts'
import type { Typestate } from '../src/property/ast.ts'
import type { Run } from '../src/property/instance.ts'
import { Machine } from '../src/property/machine.ts'
import { operationsOf } from '../src/property/operations.ts'
import { TraceBuilder } from '../src/trace/builder.ts'
import { CALL, FORK } from '../src/trace/ops.ts'
import { fresh, machine, min, spread, table, tell, timedBoth } from './measure.ts'

const SELF = fileURLToPath(import.meta.url)
const SEED = 1
const TASKS = 8
const SITES = 400
const OPEN_AT_ONCE = 2000
const SHARED = 20
const OPERATIONS_A_FILE = 100
const WINDOWS = [10_000, 100_000, 1_000_000]
const REPEATS = 3
/** The plain one walks all that is in the window for every operation. */
const MOST_PLAIN = 1_000_000
const USES = ['read', 'write', 'seek', 'stat']

/** `stat` is always permitted, and nothing but it after the close: that step enables nothing. */
const FILE: Typestate = {
  kind: 'typestate',
  name: 'File',
  parameters: [{ type: '', name: 'f' }],
  events: [],
  states: [
    { name: 'NEW', transitions: [transition('stat', 'NEW'), transition('open', 'OPEN')] },
    { name: 'OPEN', transitions: [transition('stat read write seek', 'OPEN'), transition('close', 'CLOSED')] },
    { name: 'CLOSED', transitions: [transition('stat', 'CLOSED')] },
  ],
  confirm: 'violation',
  on: true,
}

function transition(operations: string, to: string): { operations: string[]; to: string } {
  return { operations: operations.split(' '), to }
}

function generate(events: number): Run {
  const random = new Random(SEED)
  const builder = new TraceBuilder()
  for (let t = 0; t < TASKS; t++) builder.tasks.push(`T${t}`)
  for (let s = 0; s < SITES; s++) builder.sites.push(`lib/file-${s % 40}.js:${s}:1`)
  const names = ['open', 'close', ...USES].map((method) => builder.names.push(`File.${method}`))
  let line = 0
  let files = 0
  const call = (task: number, method: number, object: number, site: number): void =>
    builder.add(task, CALL, names[method]!, object, (site * 6 + method) % SITES, line++)
  const newFile = (): { object: number; owner: number; other: number; left: number; place: number } => {
    const object = builder.values.codeOf({ object: `File#${++files}` })
    const owner = random.below(TASKS)
    const other = random.chance(0.25) ? random.below(TASKS) : owner
    return { object, owner, other, left: 1 + random.below(2 * OPERATIONS_A_FILE), place: random.below(SITES) }
  }
  for (let t = 1; t < TASKS; t++) builder.add(0, FORK, t, 0, -1, line++)
  const shared = Array.from({ length: SHARED }, newFile)
  for (const file of shared) call(file.owner, 0, file.object, file.place)
  const open = Array.from({ length: OPEN_AT_ONCE }, () => ({ ...newFile(), fresh: true }))
  while (line < events) {
    if (random.chance(0.05)) {
      const file = random.pick(shared)
      call(random.below(TASKS), 2 + random.below(4), file.object, file.place + random.below(3))
      continue
    }
    const slot = random.below(OPEN_AT_ONCE)
    const file = open[slot]!
    const task = random.chance(0.5) ? file.owner : file.other
    if (file.fresh) call(file.owner, 0, file.object, file.place)
    else if (file.left > 0) call(task, 2 + random.below(4), file.object, file.place + random.below(3))
    else call(task, 1, file.object, file.place)
    file.fresh = false
    if (file.left-- === 0) open[slot] = { ...newFile(), fresh: true }
  }
  const causality = new Causality(builder.finish({ branches: false }), 'data')
  return new ThreadRun(causality, new MustOrder(causality))
}

interface Measured {
  readonly events: number
  readonly objects: number
  /** Processor's milliseconds, of each repetition. */
  readonly cpu: readonly number[]
  readonly causes: number
  /** Most memory of the process, in bytes: with the trace, which takes most of it. */
  readonly memory: number
  readonly entries?: number
  /** Entries without the reductions. */
  readonly unreduced?: number
  readonly bytes?: number
  readonly pairs?: number
  readonly ordered?: number
}

/** The trace is made once for a process: that takes longer than all the rest. */
function repeated<T>(events: number, action: (run: Run) => T): [T, Run, Pick<Measured, 'events' | 'objects' | 'cpu' | 'memory'>] {
  const run = generate(events)
  const runs = Array.from({ length: REPEATS }, () => timedBoth(() => action(run)))
  const memory = process.resourceUsage().maxRSS * 1024
  return [runs[0]![0], run, { events, objects: run.trace.tables.values.table.size, cpu: runs.map(([, time]) => time.cpu), memory }]
}

const MEASUREMENTS: Record<string, (events: number, window: number) => Measured> = {
  /** Only what it costs to find the operations and their objects. */
  matching: (events) => {
    const [, , figures] = repeated(events, (run) => {
      let count = 0
      operationsOf(new Machine(FILE), run).each(() => void count++)
      return count
    })
    return { ...figures, causes: 0 }
  },
  pairs: (events, window) => {
    const [{ causes, counts }, run, figures] = repeated(events, (run) => typestatePairs(FILE, run, { window }))
    const { bytes, pairs, ordered, peak: entries } = counts
    const unreduced = typestatePairs(FILE, run, { window, unreduced: true }).counts.peak
    return { ...figures, causes: causes.length, entries, unreduced, bytes, pairs, ordered }
  },
  plain: (events, window) => {
    const [causes, , figures] = repeated(events, (run) => plainPairs(run, window))
    return { ...figures, causes }
  },
}

/** Algorithm 1 as one would write it first: an object for each event, Maps of lists, and the window swept every so often. */
function plainPairs(run: Run, window: number): number {
  interface Entry {
    event: number
    operation: string
    from: string
    to: string
    at: number
  }
  const { trace } = run
  const state = (name: string): Typestate['states'][number] => FILE.states.find((s) => s.name === name)!
  const to = (name: string, operation: string): string | undefined =>
    state(name).transitions.find((t) => t.operations.includes(operation))?.to
  const limited = (operation: string): boolean => FILE.states.some((s) => to(s.name, operation) === undefined)
  const states = new Map<string, string>()
  const transits = new Map<string, Entry[]>()
  const limits = new Map<string, Entry[]>()
  const causes = new Set<string>()
  const meet = (first: Entry, second: Entry): void => {
    if (!run.otherTask(first.event, second.event) || !run.mayPrecede(second.event, first.event)) return
    causes.add([first.operation, trace.siteName(first.event), second.operation, trace.siteName(second.event)].join(' '))
  }
  const insert = (into: Map<string, Entry[]>, object: string, entry: Entry): void => {
    const list = into.get(object)
    if (list) list.push(entry)
    else into.set(object, [entry])
  }
  for (const [at, event] of run.order.entries()) {
    if (trace.op[event] !== CALL) continue
    if (at % window === 0) {
      for (const lists of [transits, limits]) {
        for (const [object, list] of lists) {
          const rest = list.filter((entry) => entry.at >= at - window)
          if (rest.length > 0) lists.set(object, rest)
          else lists.delete(object)
        }
      }
    }
    const operation = trace.targetName(event).split('.')[1]!
    const object = trace.tables.values.textOf(trace.value[event]!)
    const from = states.get(object) ?? FILE.states.find((s) => to(s.name, operation) !== undefined)!.name
    const next = to(from, operation)
    if (next === undefined) continue
    states.set(object, next)
    const entry = { event, operation, from, to: next, at }
    if (next !== from) {
      for (const earlier of limits.get(object) ?? []) {
        if (to(from, earlier.operation) === undefined || to(next, earlier.operation) !== undefined || at - earlier.at > window) continue
        if (earlier.from === from || earlier.from === earlier.to) meet(earlier, entry)
      }
    }
    if (limited(operation)) {
      for (const earlier of transits.get(object) ?? []) {
        if (to(earlier.from, operation) !== undefined || to(earlier.to, operation) === undefined || at - earlier.at > window) continue
        meet(earlier, entry)
      }
    }
    if (next !== from) insert(transits, object, entry)
    if (limited(operation)) insert(limits, object, entry)
  }
  return causes.size
}

const [first, what, events, window] = process.argv.slice(2)
if (first === '--measure') tell(MEASUREMENTS[what!]!(Number(events), Number(window)))
else main(Number(first ?? 10_000_000))

function main(total: number): void {
  const measure = (name: string, count: number, span: number): Measured =>
    fresh<Measured>(SELF, ['--measure', name, String(count), String(span)])
  const rate = ({ events, cpu }: Measured): string =>
    spread(
      cpu.map((ms) => events / ms / 1000),
      2,
    )
  const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
  console.log(`${machine()}; ${TASKS} tasks, seed ${SEED}; rates are per CPU second: min, mean ± deviation of ${REPEATS}`)
  const matching = measure('matching', total, 0)
  console.log(`${total} events, ${matching.objects} objects\n`)
  const rows = [['', 'million events/s', 'entries at most', 'without reduction', 'tables MiB', 'process MiB', 'pairs', 'ordered', 'causes']]
  rows.push(['matching alone', rate(matching), '', '', '', mib(matching.memory), '', '', ''])
  for (const span of WINDOWS) {
    const m = measure('pairs', total, span)
    const counts = [m.entries, m.unreduced].map(String)
    rows.push([`window ${span}`, rate(m), ...counts, mib(m.bytes!), mib(m.memory), String(m.pairs), String(m.ordered), String(m.causes)])
  }
  console.log(table(rows))
  const small = Math.min(total, MOST_PLAIN)
  const ours = measure('pairs', small, WINDOWS[1]!)
  const plain = measure('plain', small, WINDOWS[1]!)
  const ratio = (min(plain.cpu) / min(ours.cpu)).toFixed(1)
  console.log(
    `\n${small} events, window ${WINDOWS[1]}: ours ${rate(ours)} million/s, plain Algorithm 1 ${rate(plain)}: ours is ${ratio} times as fast`,
  )
  if (ours.causes !== plain.causes) throw new Error(`ours finds ${ours.causes} causes, the plain one ${plain.causes}`)
}
