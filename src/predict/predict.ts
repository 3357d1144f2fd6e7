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
import { ThreadRun } from '../causal/thread-run.ts'
import type { Declaration } from '../property/ast.ts'
import { beginOf } from '../trace/updates.ts'
import type { Answer, Stage } from './decide/answer.ts'
import { causeOf } from './cause.ts'
import { ordersThatHold } from './decide/either.ts'
import { DEFAULT_BUDGET, Decider } from './decide/decider.ts'
import { openDecider, type DeciderName } from './decide/deciders.ts'
import { Accesses } from './propose/accesses.ts'
import { atomicityViolations } from './propose/atomicity.ts'
import { dataRaces } from './propose/data-race.ts'
import { deadlocks } from './propose/deadlock.ts'
import type { Group, Proposal } from './propose/group.ts'
import { orderViolations } from './propose/order-violation.ts'
import { propertyViolations } from './propose/property.ts'
import { Regions } from './propose/regions.ts'
import { typestateViolations } from './propose/typestate.ts'
import { Summary } from './summary.ts'

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

export interface Prediction {
  readonly candidate: Proposal
  readonly witness: Witness
  readonly stage: Stage
  /** The cause it stands for, and how many candidates of that cause must-order and locks left open. */
  readonly cause: string
  readonly candidates: number
}

export interface Predictions {
  readonly model: Model
  readonly decider: DeciderName
  readonly predictions: readonly Prediction[]
  readonly summary: Summary
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
  const summary = new Summary()
  const predictions: Prediction[] = []
  const attempts = options.ungrouped ? Infinity : (options.attempts ?? DEFAULT_ATTEMPTS)
  let lastPause = performance.now()

  const decide = async (candidate: Proposal): Promise<Answer> => {
    const offered = candidate.offer?.()
    if (offered && checker.check(candidate, offered) === undefined) return { verdict: 'feasible', stage: 'interval', order: offered }
    return decider.decide(candidate)
  }

  /** The answer, and the order made simple if it shows what the candidate is about; if not, the weaker question, where there is one. */
  const settle = async (candidate: Proposal): Promise<{ candidate: Proposal; answer: Answer; order?: Int32Array }> => {
    const answer = await decide(candidate)
    const order = answer.verdict === 'feasible' ? shownBy(trace, candidate, answer.order) : undefined
    if (order) return { candidate, answer, order }
    if (candidate.otherwise) return settle({ ...candidate, ...candidate.otherwise, otherwise: undefined })
    return {
      candidate,
      answer: answer.verdict === 'feasible' ? { verdict: 'unknown', stage: answer.stage, budget: 'orders that do not show it' } : answer,
    }
  }

  try {
    await pause()
    for (const group of proposeAll(staged, options.kinds ?? KINDS, options.properties ?? [], summary)) {
      summary.causes++
      let tried = 0
      let open = 0
      let found: Prediction | undefined
      for (const proposal of group.candidates()) {
        open++
        if (found && !options.ungrouped) {
          summary.grouped++
          if (open < COUNT_AT_MOST) continue
          summary.atLeast = true
          break
        }
        if (tried >= attempts) {
          summary.notLookedAt++
          if (open < COUNT_AT_MOST) continue
          summary.atLeast = true
          break
        }
        tried++
        const { candidate, answer, order } = await settle(proposal)
        summary.add(answer)
        if (order) {
          const refusal = checker.check(candidate, order)
          const refused = refusal?.sentence ?? meaningless(trace, candidate, order)
          if (refused) throw new Error(`the checker refused a witness of ${candidate.kind} (${group.key}): ${refused}`)
          found = {
            candidate,
            witness: new RunsWitness(trace, order),
            stage: answer.stage,
            cause: causeOf(trace, candidate),
            candidates: 0,
          }
          if (options.ungrouped) predictions.push({ ...found, candidates: 1 })
        }
        if (performance.now() - lastPause > PAUSE_EVERY) {
          options.onProgress?.({ kind: group.kind, causes: summary.causes, decided: summary.decided, predictions: predictions.length })
          await pause()
          lastPause = performance.now()
          if (options.signal?.aborted) break
        }
      }
      summary.settle('must-order', 'infeasible', group.settled.mustOrder)
      summary.settle('locks', 'infeasible', group.settled.locks)
      if (found && !options.ungrouped) predictions.push({ ...found, candidates: open })
      if (options.signal?.aborted) break
    }
  } finally {
    await decider.close?.()
  }
  predictions.sort((a, b) => rank(a) - rank(b) || firstStamp(trace, a) - firstStamp(trace, b))
  return { model, decider: name, predictions, summary, aborted: options.signal?.aborted ?? false }
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

function* proposeAll(decider: Decider, kinds: readonly Kind[], declared: readonly Declaration[], summary: Summary): Iterable<Group> {
  const { causality, must } = decider
  const accesses = new Accesses(causality)
  if (kinds.includes('data-race')) yield* dataRaces(causality, must, accesses)
  if (kinds.includes('atomicity')) yield* atomicityViolations(causality, must, accesses, new Regions(causality))
  if (kinds.includes('order-violation')) yield* orderViolations(causality, must)
  if (kinds.includes('deadlock')) yield* deadlocks(causality, must, accesses.locksets, () => summary.notLookedAt++)
  if (declared.length === 0) return
  const run = new ThreadRun(causality, must)
  for (const declaration of declared) {
    if (!kinds.includes(declaration.kind)) continue
    if (declaration.kind === 'property') yield* propertyViolations(run, must, declaration, (left) => cutOff(summary, left))
    else yield* typestateViolations(run, declaration, (left) => cutOff(summary, left))
  }
}

function cutOff(summary: Summary, left: number): void {
  summary.notLookedAt += left
  summary.atLeast = true
}

const rank = (p: Prediction): number => KINDS.indexOf(p.candidate.kind)
const firstStamp = (trace: Trace, p: Prediction): number => Math.min(...p.candidate.events.map((e) => trace.stamp[e]!))

const noGlobalOrder = (trace: Trace): HeddleError =>
  new HeddleError(
    'NO_GLOBAL_ORDER',
    `${trace.facts.source} records only the order inside each task, so model data (which write each read saw) cannot be used`,
    'Use --model maximal or --model sync',
  )
