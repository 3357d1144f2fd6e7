/**
 * Propose, decide, check: from a trace to predictions. Every prediction carries a witness that the independent checker has accepted.
 */
import { HeddleError } from '../errors.ts'
import type { Trace } from '../trace/trace.ts'
import { Checker } from '../witness/check.ts'
import { KINDS, type Kind, type Witness } from '../witness/candidate.ts'
import type { Model } from '../trace/model.ts'
import { meaningless } from '../witness/meaning.ts'
import { RunsWitness } from '../witness/runs.ts'
import { simplify } from '../witness/simplify.ts'
import type { Declaration } from '../property/ast.ts'
import { beginOf } from '../trace/updates.ts'
import type { Stage } from './decide/answer.ts'
import { causeOf } from './cause.ts'
import { ordersThatHold } from './decide/either.ts'
import { DEFAULT_BUDGET, Decider } from './decide/decider.ts'
import { openDecider, type DeciderName } from './decide/deciders.ts'
import { Coverage } from '../coverage.ts'
import { Accesses } from './propose/accesses.ts'
import { Naming } from './naming.ts'
import { proposeAll } from './propose/all.ts'
import { noneRuledOut, type Proposal } from './propose/group.ts'
import { settle, settledLater, type Show } from './settle.ts'
import { EarlierValues } from './threads/values.ts'

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
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal
}

export interface Progress {
  readonly kind: Kind
  readonly causes: number
  readonly decided: number
  readonly predictions: number
}

/** A candidate that can happen, with the order that shows it. */
export interface Witnessed {
  readonly candidate: Proposal
  readonly witness: Witness
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
  /** The run was stopped by its signal: what is here is right, but not all. */
  readonly aborted: boolean
}

export const DEFAULT_ATTEMPTS = 10_000
const COUNT_AT_MOST = 100_000
/** How often, in milliseconds, others get a turn: a signal to stop, a progress line. */
const PAUSE_EVERY = 50

export function defaultModel(trace: Trace): Model {
  return trace.facts.order === 'task' || trace.value.some((v) => v !== 0) ? 'maximal' : 'data'
}

export async function predict(trace: Trace, options: PredictOptions = {}): Promise<Predictions> {
  const name = options.decider ?? 'staged'
  const model = name === 'interval' ? 'sync' : (options.model ?? defaultModel(trace))
  if (model === 'data' && trace.facts.order === 'task') throw noGlobalOrder(trace)
  const staged = new Decider(trace, model, options.budget ?? DEFAULT_BUDGET)
  const checker = new Checker(trace, model)
  const decider = await openDecider(name, staged)
  const coverage = new Coverage()
  const accesses = new Accesses(staged.causality)
  const label = labelling(trace, staged, accesses)
  const predictions: Witnessed[] = []
  const attempts = options.ungrouped ? Infinity : (options.attempts ?? DEFAULT_ATTEMPTS)
  let lastPause = performance.now()
  let decided = 0
  const show: Show<Proposal, Int32Array> = (candidate, _, found) => {
    const order = shownBy(trace, candidate, found)
    return order && { shown: order }
  }

  try {
    await pause()
    const groups = proposeAll(staged, accesses, {
      kinds: options.kinds ?? KINDS,
      declarations: options.properties ?? [],
      onCut: (kind, left) => coverage.row(kind).cutOff('limit', left),
    })
    for (const kind of options.kinds ?? KINDS)
      if (!ofDeclarations(kind) || (options.properties ?? []).some((d) => d.kind === kind)) coverage.row(kind)
    for (const group of groups) {
      const row = coverage.row(group.kind)
      row.causes++
      const ruledOut = noneRuledOut()
      let tried = 0
      let open = 0
      let found: Witnessed | undefined
      for (const proposal of group.candidates(ruledOut)) {
        open++
        row.propose()
        if ((found && !options.ungrouped) || tried >= attempts) {
          row.settle(found ? 'grouped' : 'notLookedAt', 'tries')
          if (open < COUNT_AT_MOST) continue
          row.atLeast = true
          break
        }
        tried++
        const answer = await settledLater(settle(proposal, checker, show), (demands) => decider.decide(demands))
        row.settle(answer.verdict, answer.verdict === 'unknown' ? answer.budget : answer.stage)
        decided++
        if (answer.verdict === 'feasible') {
          const { candidate, shown: order } = answer
          const refusal = checker.check(candidate, order)
          const refused = refusal?.sentence ?? meaningless(trace, candidate, order)
          if (refused) throw new Error(`the checker refused a witness of ${candidate.kind} (${group.key}): ${refused}`)
          found = {
            candidate,
            witness: new RunsWitness(trace, order),
            stage: answer.stage,
            label: label(candidate, order),
            cause: causeOf(trace, candidate),
            candidates: 0,
          }
          if (options.ungrouped) predictions.push({ ...found, candidates: 1 })
        }
        if (performance.now() - lastPause > PAUSE_EVERY) {
          const causes = coverage.rows.reduce((sum, one) => sum + one.causes, 0)
          options.onProgress?.({ kind: group.kind, causes, decided, predictions: predictions.length })
          await pause()
          lastPause = performance.now()
          if (options.signal?.aborted) break
        }
      }
      row.ruledOut('must-order', ruledOut.mustOrder)
      row.ruledOut('locks', ruledOut.locks)
      if (found && !options.ungrouped) predictions.push({ ...found, candidates: open })
      if (options.signal?.aborted) {
        row.atLeast = true
        break
      }
    }
  } finally {
    await decider.close?.()
  }
  predictions.sort((a, b) => rank(a) - rank(b) || firstStamp(trace, a) - firstStamp(trace, b))
  return { model, decider: name, predictions, coverage, aborted: options.signal?.aborted ?? false }
}

/**
 * The order made simple, if it shows what the candidate is about. Of a property it must: the decider was asked for just that. Of a typestate it need not, where
 * more operations touch the object than were asked about.
 */
function shownBy(trace: Trace, candidate: Proposal, order: Int32Array): Int32Array | undefined {
  const simple = simplify(trace, order, [...candidate.before, ...ordersThatHold(candidate, order)])
  if (!candidate.shows) return simple
  const last = candidate.events.filter((e) => candidate.next.includes(beginOf(trace, e)))
  const shown = (run: Int32Array): boolean => candidate.shows!(Int32Array.from([...run, ...last]))
  if (shown(simple)) return simple
  if (shown(order)) return order
  if (candidate.kind === 'property') throw new Error(`the monitor does not see ${candidate.pattern} in a witness of it`)
  return undefined
}

/** Through a timer, because a signal needs a whole turn of the loop to arrive. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/** Written where something is taken down. */
const GONE: readonly string[] = ['null', 'undefined', '0', 'false', '#0x0']

function labelling(trace: Trace, { causality }: Decider, accesses: Accesses): (candidate: Proposal, order: Int32Array) => string {
  const values = trace.facts.order === 'global' ? new EarlierValues(trace) : undefined
  const naming = new Naming(causality, accesses, (write) => values?.isFirst(write) ?? false)
  return (candidate, order) => {
    if (candidate.kind === 'property' || candidate.kind === 'typestate') return candidate.kind
    const written = trace.tables.values.textOf(trace.value[candidate.events[0]!]!)
    if (candidate.pattern === 'premature' && GONE.includes(written)) return 'use after teardown'
    return naming.in(candidate, order)
  }
}

const ofDeclarations = (kind: Kind): boolean => kind === 'property' || kind === 'typestate'

const rank = (p: Witnessed): number => KINDS.indexOf(p.candidate.kind)
const firstStamp = (trace: Trace, p: Witnessed): number => Math.min(...p.candidate.events.map((e) => trace.stamp[e]!))

const noGlobalOrder = (trace: Trace): HeddleError =>
  new HeddleError(
    'NO_GLOBAL_ORDER',
    `${trace.facts.source} records only the order inside each task, so model data (which write each read saw) cannot be used`,
    'Use --model maximal or --model sync',
  )
