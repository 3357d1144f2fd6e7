/** What deciding a trace needs. The larger part is built once and shared between threads; the checker's own part is built in each thread. */
import type { MustRows } from '../causal/must-order.ts'
import { takeOverReadsFrom } from '../causal/reads-from.ts'
import { Sections, type SectionColumns } from '../causal/sections.ts'
import { HeddleError } from '../errors.ts'
import type { Model } from '../trace/model.ts'
import type { Trace } from '../trace/trace.ts'
import { DifferenceChecker } from '../witness/check-difference.ts'
import { DEFAULT_BUDGET, Decider } from './decide/decider.ts'
import { openDecider, type AnyDecider, type DeciderName } from './decide/deciders.ts'
import { Accesses, type AccessColumns } from './propose/accesses.ts'

export interface EngineOptions {
  readonly decider: DeciderName
  readonly model: Model
  readonly budget: number | undefined
}

export interface Engine {
  readonly trace: Trace
  readonly staged: Decider
  readonly decider: AnyDecider
  readonly checker: DifferenceChecker
  readonly accesses: Accesses
}

/** What another thread need not work out again. */
export interface EngineIndex {
  readonly sections: SectionColumns
  readonly writer: Int32Array
  readonly clocks: MustRows
  readonly accesses: AccessColumns
}

export const indexOf = ({ staged, accesses }: Engine): EngineIndex => ({
  sections: staged.causality.sections.columns,
  writer: staged.causality.writer,
  clocks: staged.must.handOver(),
  accesses: accesses.handOver(),
})

/** `pause`: between two parts, each of which may take seconds on a long trace. */
export async function buildEngine(
  trace: Trace,
  options: EngineOptions,
  pause: () => void | Promise<void>,
  index?: EngineIndex,
): Promise<Engine> {
  if (index) {
    Sections.takeOver(trace, index.sections)
    takeOverReadsFrom(trace, index.writer)
  }
  const { model, budget = DEFAULT_BUDGET } = options
  if (model === 'data' && trace.facts.order === 'task') throw noGlobalOrder(trace)
  const staged = new Decider(trace, model, budget, undefined, undefined, true, index?.clocks)
  await pause()
  const checker = new DifferenceChecker(trace, model)
  const decider = await openDecider(options.decider, staged)
  await pause()
  return { trace, staged, decider, checker, accesses: new Accesses(staged.causality, index?.accesses) }
}

const noGlobalOrder = (trace: Trace): HeddleError =>
  new HeddleError(
    'NO_GLOBAL_ORDER',
    `${trace.facts.source} records only the order inside each task, so model data (which write each read saw) cannot be used`,
    'Use --model maximal or --model sync',
  )
