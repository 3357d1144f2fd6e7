/**
 * Propose, decide, check: from a trace to predictions. Every prediction carries a witness that the independent checker has accepted.
 */
import { availableParallelism } from 'node:os'
import type { Trace } from '../trace/trace.ts'
import { KINDS, type Kind } from '../witness/candidate.ts'
import { Difference } from '../witness/difference.ts'
import type { Model } from '../trace/model.ts'
import { simplify } from '../witness/simplify.ts'
import type { Declaration } from '../property/ast.ts'
import type { Stage } from './decide/answer.ts'
import { accept, answerLane, keptOrders, type Asking, type BlockAnswer, type Cut, type Found } from './answer-blocks.ts'
import { causeOf } from './cause.ts'
import { Crew } from './crew.ts'
import type { Decider } from './decide/decider.ts'
import type { DeciderName } from './decide/deciders.ts'
import { Coverage } from '../coverage.ts'
import { buildEngine, indexOf, type Engine } from './engine.ts'
import { isDealt, lanesOf, Share } from './lanes.ts'
import { Merge } from './merge.ts'
import type { Accesses } from './propose/accesses.ts'
import { Naming } from './naming.ts'
import type { Proposal } from './propose/group.ts'
import { firstWrites } from './threads/values.ts'

export interface PredictOptions {
  kinds?: readonly Kind[]
  /** `maximal` where values were recorded or only task-local order is known, else `data`. */
  model?: Model
  decider?: DeciderName
  /** Steps of search per candidate. */
  budget?: number
  /** Every feasible candidate, not one per cause. */
  ungrouped?: boolean
  /** Candidates of one cause tried at most before giving up on it (grouped only). */
  attempts?: number
  /** What users call wrong: properties and typestates. */
  properties?: readonly Declaration[]
  /** Threads that decide, the calling one included. Unless said: as many as there are cores, once it has taken a moment. The result is the same. */
  workers?: number
  /** After so many seconds what is known is the result. */
  seconds?: number
  onProgress?: (progress: Progress) => void
  /** As soon as it is known that it comes next: kind by kind, and in the same order whatever the number of threads. */
  onPrediction?: (prediction: Witnessed) => void
  signal?: AbortSignal
}

export interface Progress {
  readonly kind: Kind
  readonly causes: number
  readonly decided: number
  readonly predictions: number
  /** How far this kind is, from 0 to 1, and about how many seconds it still takes, where that can be said. */
  readonly through?: number
  readonly secondsLeft?: number
  /** Predictors that are done, and all of them. */
  readonly lane: number
  readonly lanes: number
}

/** A candidate that can happen, with the order that shows it. */
export interface Witnessed {
  readonly candidate: Proposal
  readonly witness: Difference
  /** The same with fewer switches between tasks, for people. Made anew at each call, and as long as the run. */
  readonly simple: () => Int32Array
  readonly stage: Stage
  /** What people call it. */
  readonly label: string
  /** The cause it stands for, and how many candidates of that cause must-order and locks left open. */
  readonly cause: string
  readonly candidates: number
}

export interface Predictions {
  readonly model: Model
  readonly decider: DeciderName
  readonly predictions: readonly Witnessed[]
  readonly coverage: Coverage
  /** The run was stopped by its signal, or by the time it had: what is here is right, but not all. */
  readonly aborted: boolean
  readonly outOfTime: boolean
}

export const DEFAULT_ATTEMPTS = 10_000
/** How long deciding may take, in milliseconds, before other threads are started. */
const ALONE_MS = 700
/** Of a longer order only so many events at its end are simplified. */
const MOST_SIMPLIFIED = 20_000
/** How often, in milliseconds, others get a turn: a signal to stop, a progress line. */
const PAUSE_EVERY = 50

export function defaultModel(trace: Trace): Model {
  return trace.facts.order === 'task' || trace.value.some((v) => v !== 0) ? 'maximal' : 'data'
}

export async function predict(trace: Trace, options: PredictOptions = {}): Promise<Predictions> {
  const name = options.decider ?? 'staged'
  const model = name === 'interval' ? 'sync' : (options.model ?? defaultModel(trace))
  const kinds = options.kinds ?? KINDS
  const started = performance.now()
  const deadline = options.seconds === undefined ? Infinity : started + options.seconds * 1000
  const lanes = lanesOf(kinds)
  const share = Share.of(lanes.length)
  const ungrouped = options.ungrouped ?? false
  const asking: Asking = {
    ungrouped,
    attempts: ungrouped ? Infinity : (options.attempts ?? DEFAULT_ATTEMPTS),
    declarations: options.properties ?? [],
  }
  const coverage = new Coverage()
  for (const kind of kinds) if (!ofDeclarations(kind) || asking.declarations.some((d) => d.kind === kind)) coverage.row(kind)
  const predictions: Witnessed[] = []
  const isOver = (): boolean => options.signal?.aborted === true || performance.now() > deadline
  let lastPause = performance.now()
  let wholeLanes = 0
  let through: number | undefined
  let laneStart = performance.now()
  const tellProgress = (kind: Kind, current: number): void =>
    options.onProgress?.({
      kind,
      ...estimate(through, performance.now() - laneStart),
      causes: coverage.rows.reduce((sum, row) => sum + row.causes, 0),
      decided: merge.decided + current,
      predictions: predictions.length,
      lane: wholeLanes,
      lanes: lanes.length,
    })
  const building = async (): Promise<void> => {
    tellProgress(kinds[0] ?? 'data-race', 0)
    await pause()
    if (isOver()) share.stop()
  }
  let describe: ((found: Found) => Witnessed) | undefined
  const merge = new Merge(lanes.length, coverage, (found) => {
    const prediction = describe!(found)
    predictions.push(prediction)
    options.onPrediction?.(prediction)
  })
  const none = (): Predictions => ({ model, decider: name, predictions, coverage, aborted: true, outOfTime: performance.now() > deadline })

  await pause()
  if (isOver()) return none()
  const engineOptions = { decider: name, model, budget: options.budget }
  const indexStart = performance.now()
  const engine = await buildEngine(trace, engineOptions, building)
  const indexMs = performance.now() - indexStart
  if (share.stopped) return none()
  describe = describing(engine)
  const told = { answer: (answer: BlockAnswer) => merge.add(answer), end: (ended: number, blocks: number) => merge.end(ended, blocks) }
  // Threads in the same lane are cut short at the same place: that is counted once.
  const cuts: Cut[] = []
  const cutElsewhere = new Map<number, Cut>()
  const crew = new Crew(trace, share, { ...told, cut: (...cut) => void cutElsewhere.set(cut[0], cut) })
  // Without a number threads are started only when deciding has taken a while, and as long as the index did: each builds one of its own.
  const most = name !== 'staged' ? 1 : (options.workers ?? availableParallelism())
  const startAt = options.workers === undefined ? performance.now() + Math.max(ALONE_MS, indexMs) : 0
  let crewStarted = most <= 1 || !lanes.some(isDealt)
  const help = (): void => {
    if (crewStarted || performance.now() < startAt) return
    crewStarted = true
    crew.start(most - 1, { engine: engineOptions, index: indexOf(engine), lanes, ungrouped, attempts: asking.attempts })
  }
  const breathe = async (kind: Kind, decided: number): Promise<void> => {
    help()
    tellProgress(kind, decided)
    await pause()
    crew.check()
    lastPause = performance.now()
    if (isOver()) share.stop()
  }
  try {
    for (const [at, lane] of lanes.entries()) {
      help()
      laneStart = performance.now()
      through = 0
      await answerLane(engine, asking, lane, at, share, {
        ...told,
        cut: (...cut) => void cuts.push(cut),
        pause: (kind, decided, place) => {
          if (performance.now() - lastPause < PAUSE_EVERY) return undefined
          through = place
          return breathe(kind, decided)
        },
      })
      wholeLanes++
      if (share.stopped) break
    }
    while (!merge.isWhole && !share.stopped) {
      await crew.news(PAUSE_EVERY)
      crew.check()
      tellProgress(lanes.at(-1)!.kind, 0)
      if (isOver()) share.stop()
    }
  } finally {
    await crew.end()
    await engine.decider.close?.()
  }
  const aborted = !merge.isWhole
  merge.flush()
  for (const [lane, cut] of cutElsewhere) if (!cuts.some(([mine]) => mine === lane)) cuts.push(cut)
  for (const [, kind, left] of cuts) coverage.row(kind).cutOff('limit', left)
  if (aborted) for (const row of coverage.rows) row.atLeast = true
  predictions.sort((a, b) => rank(a) - rank(b) || firstStamp(trace, a) - firstStamp(trace, b))
  return { model, decider: name, predictions, coverage, aborted, outOfTime: aborted && options.signal?.aborted !== true }
}

/** By how long it took to come so far. Too early there is no telling. */
function estimate(through: number | undefined, elapsed: number): Pick<Progress, 'through' | 'secondsLeft'> {
  if (through === undefined || through < 0.02) return {}
  return { through, secondsLeft: (elapsed * (1 - through)) / through / 1000 }
}

/** From what was found to what is told. */
function describing(engine: Engine): (found: Found) => Witnessed {
  const { trace } = engine
  const label = labelling(trace, engine.staged, engine.accesses)
  return (found) => {
    const { candidate, witness } = found
    return {
      ...found,
      simple: () => simpler(engine, candidate, witness),
      label: label(candidate, witness),
      cause: causeOf(trace, candidate),
    }
  }
}

/** With fewer switches between tasks, for people; checked anew. Only made for what is shown; of a long order only the end, which is what is drawn. */
function simpler(engine: Engine, candidate: Proposal, witness: Difference): Int32Array {
  const { trace } = engine
  const { order } = witness
  const from = Math.max(0, order.length - MOST_SIMPLIFIED)
  const keep = keptOrders(candidate, witness)
  if (from > 0) {
    const there = new Set(order.subarray(from))
    const end = simplify(
      trace,
      order.slice(from),
      keep.filter(([a, b]) => there.has(a) && there.has(b)),
    )
    order.set(end, from)
  }
  const simple = from > 0 ? order : simplify(trace, order, keep)
  accept(engine, candidate, Difference.of(trace, simple))
  return simple
}

/** Through a timer, because a signal needs a whole turn of the loop to arrive. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/** Written where something is taken down. */
const GONE: readonly string[] = ['null', 'undefined', '0', 'false', '#0x0']

function labelling(trace: Trace, { causality }: Decider, accesses: Accesses): (candidate: Proposal, witness: Difference) => string {
  let first: Int32Array | undefined
  const isFirst = (write: number): boolean => (first ??= firstWrites(trace))[trace.target[write]!] === write
  const naming = new Naming(causality, accesses, (write) => trace.facts.order === 'global' && isFirst(write))
  return (candidate, witness) => {
    if (candidate.kind === 'property' || candidate.kind === 'typestate') return candidate.kind
    const written = trace.tables.values.textOf(trace.value[candidate.events[0]!]!)
    if (candidate.pattern === 'premature' && GONE.includes(written)) return 'use after teardown'
    return naming.in(candidate, (e) => witness.has(e))
  }
}

const ofDeclarations = (kind: Kind): boolean => kind === 'property' || kind === 'typestate'

const rank = (p: Witnessed): number => KINDS.indexOf(p.candidate.kind)
const firstStamp = (trace: Trace, p: Witnessed): number => Math.min(...p.candidate.events.map((e) => trace.stamp[e]!))
