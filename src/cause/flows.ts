/** What two flows do at one location, in the order of a run: two threads, or two chains of a loop with all that follows from them. */
import type { LoopView } from '../causal/loop/turns.ts'
import type { Joined } from '../trace/joined.ts'
import { CHAIN, READ, TURN_BEGIN, WRITE, isRead, isWrite } from '../trace/ops.ts'
import { NONE } from '../trace/trace.ts'
import type { Place } from './pairs.ts'
import { taskNamed } from './same-step.ts'

export interface Doing {
  /** Its place in the order. */
  readonly at: number
  readonly writes: boolean
  readonly place: Place
}

export type Flows = readonly [readonly Doing[], readonly Doing[]]

/** Does one come wholly before the other? `hasFailed`: the run ended there, maybe before the other began. */
export function areApart([a, b]: Flows, hasFailed: boolean): boolean {
  if (a.length === 0 || b.length === 0) return hasFailed && a.length + b.length > 0
  return a.at(-1)!.at < b[0]!.at || b.at(-1)!.at < a[0]!.at
}

export function flowsOfThreads({ trace, steps: { stepOf } }: Joined, names: readonly [string, string], location: string): Flows {
  const flows: [Doing[], Doing[]] = [[], []]
  const tasks = names.map((name) => taskNamed(trace, name))
  for (const [at, e] of trace.recordedOrder().entries()) {
    const task = trace.taskOf(e)
    const flow = flows[tasks.indexOf(task)]
    if (!flow || !(isRead(trace.op[e]!) || isWrite(trace.op[e]!)) || trace.targetName(e) !== location) continue
    flow.push({ at, writes: isWrite(trace.op[e]!), place: { label: trace.taskName(task), nth: stepOf[e]!, offLoop: false } })
  }
  return flows
}

/** By the chains that began them and that they have not in common. Undefined where one began the other, or where the main script looked there: it may have done so for either. */
export function flowsOfLoop(view: LoopView, labels: readonly [string, string], location: string): Flows | undefined {
  const { accesses, opChain, chains } = view
  const target = view.trace.tables.locations.find(location)
  const [x, y] = [view.findOp(labels[0]), view.findOp(labels[1])]
  if (target < 0 || x === NONE || y === NONE) return undefined
  const holds = (above: number, chain: number): boolean => chain !== NONE && (above === chain || chains.holds(above, chain))
  if (holds(x, y) || holds(y, x)) return undefined
  const rootOf = (op: number, other: number): number => {
    let root = op
    while (opChain[root] !== NONE && !holds(opChain[root]!, other)) root = opChain[root]!
    return root
  }
  const roots = [rootOf(x, y), rootOf(y, x)]
  const flows: [Doing[], Doing[]] = [[], []]
  const flowOf = (chain: number): Doing[] | undefined => flows[roots.findIndex((root) => holds(root, chain))]
  const main = inMain(view, target)
  if (main.some(({ chain, writes }) => chain === NONE && !writes)) return undefined
  for (const [i, { chain, writes }] of main.entries())
    flowOf(chain)?.push({ at: i - main.length, writes, place: { label: 'main', nth: 1, offLoop: false } })
  for (let a = accesses.locationStart[target]!; a < accesses.locationStart[target + 1]!; a++) {
    const unit = accesses.unit[a]!
    const turn = view.turnOf(unit)
    if (unit === 0 || turn === NONE) continue
    const place = { label: view.labelOf(turn), nth: view.turnNth[turn]!, offLoop: unit < 0 }
    flowOf(accesses.chain[a]!)?.push({ at: a, writes: Boolean(accesses.write[a]), place })
  }
  return flows
}

/** Several flows may begin in the main script: all that they do there, not only what others can see of it. */
function inMain({ trace, segmentChain }: LoopView, target: number): { readonly chain: number; readonly writes: boolean }[] {
  const found: { chain: number; writes: boolean }[] = []
  const loop = trace.tables.tasks.find('loop')
  if (loop < 0) return found
  let [turn, segment, chain] = [-1, -1, NONE as number]
  for (let e = trace.taskStart[loop]!; e < trace.taskStart[loop + 1]! && turn <= 0; e++) {
    const op = trace.op[e]!
    if (op === TURN_BEGIN) turn++
    else if (op === CHAIN) chain = segmentChain[++segment]!
    else if (turn <= 0 && (op === READ || op === WRITE) && trace.target[e] === target) found.push({ chain, writes: op === WRITE })
  }
  return found
}
