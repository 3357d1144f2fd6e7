/**
 * All predictors over one recorded run, whatever it has: turns of a loop, threads, branches. Predictions are decided when they are asked for, and come in
 * the order in which they are worth a replay.
 */
import type { LoopRun } from '../causal/loop/run.ts'
import type { Declaration, Property, Typestate } from '../property/ast.ts'
import { keyOf, type Schedule, type Timers } from '../schedule/schedule.ts'
import type { Paths } from '../symbolic/paths.ts'
import type { Joined } from '../trace/joined.ts'
import { BEGIN, END, FORK, JOIN } from '../trace/ops.ts'
import type { Trace } from '../trace/trace.ts'
import { predictAllBranches } from './branches/predict.ts'
import { freeInJoined } from './branches/thread-weave.ts'
import { Coverage, CoverageRow } from '../coverage.ts'
import { predictLoop } from './loop/predict.ts'
import { isOwn } from './loop/rank.ts'
import { isOutside } from './loop/shape.ts'
import { predictProperties, type PropertyOptions } from './loop/property.ts'
import type { Prediction } from './prediction.ts'
import { PAUSE, predictThreads, type ThreadPrediction } from './threads/predict.ts'

/** Predictions looked at beyond what can be replayed: they are counted, and listed on demand. */
const MOST_PREDICTIONS = 500

interface PredictableThreads extends Joined {
  readonly typestates: readonly Typestate[]
  readonly properties?: readonly Property[]
  readonly callsEverywhere: boolean
  readonly started?: number
  readonly loosen?: (prediction: ThreadPrediction) => Schedule | undefined
}

/** As much of a recorded run as is predicted from. */
export interface Predictable {
  readonly loop?: LoopRun | undefined
  readonly threads?: PredictableThreads
  /** Processes that the program started. */
  readonly processes?: readonly { readonly name: string; readonly run: Pick<Predictable, 'threads'> }[]
  readonly paths?: readonly Paths[]
}

export interface PredictAllOptions {
  readonly timers: Timers
  readonly command: readonly string[]
  /** performance.now() at which to stop looking. */
  readonly deadline: number
  readonly properties: readonly Declaration[]
  /** Names of those that somebody asked for. */
  readonly asked: ReadonlySet<string>
  readonly attempts?: PropertyOptions['attempts'] | undefined
  readonly onNote: (note: string) => void
  /** Somebody wants no more. */
  readonly stopped?: () => boolean
}

export class Predictors {
  readonly loop: LoopRun | undefined
  /** Final when the last prediction was given. */
  readonly coverage = new Coverage()
  private readonly rows: { threads?: CoverageRow; turns?: CoverageRow; properties?: CoverageRow; branches?: CoverageRow } = {}

  constructor(
    private readonly run: Predictable,
    private readonly options: PredictAllOptions,
  ) {
    this.loop = run.loop
    if (this.parts.length > 0) this.rows.threads = this.coverage.row('threads')
    for (const threads of [run.threads, ...(run.processes ?? []).map((process) => process.run.threads)])
      if (threads) this.coverage.row('threads').count(startedIn(threads))
    if (this.loop) this.rows.turns = this.coverage.row('turns')
    if (this.loop && options.properties.length > 0) this.rows.properties = this.coverage.row('properties')
    if (run.paths) this.rows.branches = this.coverage.row('branches')
  }

  /** One of every cause among threads, then turns of the loop, then more of the threads as long as it can be replayed. */
  async predictions(mayReplay: () => boolean): Promise<Iterator<Prediction>> {
    const branches = this.rows.branches && (await this.ofBranches(this.rows.branches))
    const threads = this.parts.map(({ threads, process }) => this.ofThreads(threads, process))
    return inOrder(threads, alternately(branches, this.ofLoop()), mayReplay)
  }

  /** Updates of a server's rows and keys, of files and of the program's own variables are the likeliest to fail; then properties and the other turns take turns. */
  private *ofLoop(): Generator<Prediction, void, undefined> {
    const turns = this.ofTurns()
    let next = turns.next()
    for (let n = 0; n < MOST_FIRST && !next.done && isLikely(next.value); n++) {
      yield next.value
      next = turns.next()
    }
    yield* alternately(this.ofProperties(), before(next, turns))
  }

  private get looking() {
    const { timers, command, deadline } = this.options
    return { timers, command, deadline, limit: MOST_PREDICTIONS }
  }

  private ofBranches(coverage: CoverageRow): Promise<Iterator<Prediction>> {
    const { onNote } = this.options
    return predictAllBranches(this.loop, this.run.threads, this.run.paths!, { ...this.looking, coverage, onNote })
  }

  /** Those with more than one thread: the program itself, and processes that it started, by name. */
  private get parts(): { readonly threads: PredictableThreads; readonly process?: string }[] {
    const { threads, processes = [] } = this.run
    const all = [{ threads }, ...processes.map(({ name, run }) => ({ threads: run.threads, process: name }))]
    return all.flatMap(({ threads, ...of }) => (threads && threads.trace.taskCount > 1 ? [{ threads, ...of }] : []))
  }

  private *ofThreads(threads: PredictableThreads, process: string | undefined): Generator<ThreadPrediction> {
    const { properties, asked, onNote } = this.options
    const { paths } = this.run
    const wanted = properties.filter(({ name }) => asked.has(name))
    const coverage = new CoverageRow('threads')
    try {
      for (const prediction of predictThreads(threads.trace, threads.steps.stepOf, {
        ...this.looking,
        vocabulary: threads.vocabulary,
        properties: [...(threads.properties ?? []), ...wanted.filter((d): d is Property => d.kind === 'property')],
        typestates: threads.callsEverywhere
          ? [...threads.typestates, ...wanted.filter((d): d is Typestate => d.kind === 'typestate')]
          : threads.typestates,
        coverage,
        pauses: true,
        ...(this.options.stopped ? { stopped: this.options.stopped } : {}),
        ...(paths && process === undefined ? { free: freeInJoined(threads, paths) } : {}),
        onNote,
      })) {
        if (prediction === PAUSE) {
          yield PAUSE
          continue
        }
        const loose = threads.loosen?.(prediction)
        yield inProcess(process, loose ? { ...prediction, loose } : prediction)
      }
    } finally {
      // How many threads there are was known before.
      const { threads: _, ...facts } = coverage.facts
      this.rows.threads!.add({ ...coverage.saved(), facts })
    }
  }

  private ofProperties(): Iterator<Prediction> | undefined {
    const { properties: declarations, attempts } = this.options
    const coverage = this.rows.properties
    if (!this.loop || !coverage) return undefined
    return predictProperties(this.loop, { ...this.looking, declarations, coverage, ...(attempts ? { attempts } : {}) })
  }

  private *ofTurns(): Generator<Prediction> {
    const coverage = this.rows.turns
    if (this.loop && coverage) yield* predictLoop(this.loop.view, { ...this.looking, coverage })
  }
}

/** Predictions that come before properties. */
const MOST_FIRST = 4

/** The first two sites are those of the conflict. */
const isLikely = ({ kind, locations, sites }: Prediction): boolean =>
  kind === 'atomicity' && locations[0] !== undefined && (isOutside(locations[0]) || isOwn(sites.slice(0, 2)))

function* before(first: IteratorResult<Prediction>, rest: Generator<Prediction>): Generator<Prediction, void, undefined> {
  if (first.done) return
  yield first.value
  yield* rest
}

/** Threads that were made, those that did anything, and those whose end another one has seen. */
function startedIn({ trace, started = 0 }: { readonly trace: Trace; readonly started?: number }): Record<string, number> {
  let [forks, joins, active] = [0, 0, 0]
  for (let t = 0; t < trace.taskCount; t++) {
    let did = 0
    for (let e = trace.taskStart[t]!; e < trace.taskStart[t + 1]!; e++) {
      const op = trace.op[e]!
      if (op === FORK) forks++
      if (op === JOIN) joins++
      if (op !== BEGIN && op !== END) did = 1
    }
    active += did
  }
  return { threads: trace.taskCount, active, started: Math.max(started, forks), joined: joins }
}

/** A prediction about a process that the program starts. */
function inProcess(process: string | undefined, prediction: ThreadPrediction): ThreadPrediction {
  if (process === undefined) return prediction
  const { schedule, loose, why } = prediction
  return {
    ...prediction,
    schedule: { ...schedule, process },
    ...(loose ? { loose: { ...loose, process } } : {}),
    why: [`The threads are those of ${process}, a process that the program starts.`, ...why],
  }
}

/** One of every cause among the threads of each process, then turns, then more of the threads as long as it can be replayed. */
function* inOrder(
  parts: readonly Generator<ThreadPrediction>[],
  turns: Iterable<Prediction>,
  mayReplay: () => boolean,
): Generator<Prediction> {
  const rest: { readonly part: Generator<ThreadPrediction>; readonly first: ThreadPrediction }[] = []
  for (const part of parts) {
    let next = part.next()
    for (; !next.done && !next.value.again; next = part.next()) yield next.value
    if (!next.done) rest.push({ part, first: next.value })
  }
  yield* turns
  for (const { part, first } of rest) {
    let next: IteratorResult<ThreadPrediction> = { done: false, value: first }
    for (; !next.done && mayReplay(); next = part.next()) yield next.value
    // What was not drawn is counted.
    part.return(undefined)
  }
}

/** One of the first, one of the second, and so on. An order that was given among the first is not given again. */
function* alternately(first: Iterator<Prediction> | undefined, second: Iterator<Prediction>): Generator<Prediction, void, undefined> {
  const given = new Set<string>()
  for (let one = first?.next(), other: IteratorResult<Prediction> | undefined; ; one = first?.next()) {
    if (one && !one.done) {
      given.add(keyOf(one.value.schedule))
      yield one.value
    }
    do other = second.next()
    while (!other.done && given.has(keyOf(other.value.schedule)))
    if (!other.done) yield other.value
    else if (!one || one.done) return
  }
}
