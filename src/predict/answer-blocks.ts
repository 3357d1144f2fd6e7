/** The work of every thread: take a block of causes, decide its candidates, have each witness checked, and report the answers of the block. */
import { Coverage, type SavedRow } from '../coverage.ts'
import type { Declaration } from '../property/ast.ts'
import type { Trace } from '../trace/trace.ts'
import { beginOf } from '../trace/updates.ts'
import type { Demands, Kind } from '../witness/candidate.ts'
import { Difference } from '../witness/difference.ts'
import { meaningless } from '../witness/meaning.ts'
import { simplify } from '../witness/simplify.ts'
import { causeOf } from './cause.ts'
import type { Stage } from './decide/answer.ts'
import { ordersThatHold } from './decide/either.ts'
import type { Engine } from './engine.ts'
import { BLOCK, NONE, type Lane, type Share } from './lanes.ts'
import { proposeAll } from './propose/all.ts'
import { noneRuledOut, type Group, type Proposal } from './propose/group.ts'
import { settle, settledLater, type Show } from './settle.ts'

/** A candidate that can happen, with an order that the checker has accepted. */
export interface Found {
  readonly candidate: Proposal
  readonly witness: Difference
  readonly stage: Stage
  /** How many candidates of the cause must-order and locks left open. */
  readonly candidates: number
}

export interface BlockAnswer {
  readonly lane: number
  readonly block: number
  readonly row: SavedRow | undefined
  readonly found: readonly Found[]
  readonly decided: number
}

export interface Asking {
  readonly ungrouped: boolean
  /** Candidates of one cause tried at most. */
  readonly attempts: number
  readonly declarations: readonly Declaration[]
}

/** At least so many candidates of a lane were not looked for. */
export type Cut = [lane: number, kind: Kind, left: number]

export interface Listener {
  answer(answer: BlockAnswer): void
  /** The lane has so many blocks. */
  end(lane: number, blocks: number): void
  cut(...cut: Cut): void
  /** Called between two candidates. May take a turn of the event loop: then it gives a promise. */
  pause(kind: Kind, decided: number, through: number | undefined): Promise<void> | undefined
}

const COUNT_AT_MOST = 100_000

/** Until no block of the lane is left, or the share is stopped. Only who has gone through all of its causes knows how many blocks there are. */
export async function answerLane(engine: Engine, asking: Asking, lane: Lane, at: number, share: Share, listener: Listener): Promise<void> {
  let mine = share.take(at)
  if (mine === NONE) return
  let index = 0
  let coverage = new Coverage()
  let found: Found[] = []
  let decided = 0
  const tell = (): void => {
    listener.answer({ lane: at, block: mine, row: coverage.rows[0]?.saved(), found, decided })
    coverage = new Coverage()
    found = []
    decided = 0
    mine = share.take(at)
  }
  const { kind, direction } = lane
  const groups = proposeAll(engine.staged, engine.accesses, {
    kinds: [kind],
    declarations: asking.declarations,
    ...(direction && { direction }),
    onCut: (of, left) => listener.cut(at, of, left),
  })
  for (const group of groups) {
    const block = Math.floor(index++ / BLOCK)
    if (block > mine) tell()
    if (mine === NONE) return
    if (block !== mine) continue
    await answerGroup(group)
    if (share.stopped) break
    const pause = listener.pause(kind, decided, group.through)
    if (pause) await pause
  }
  const blocks = Math.ceil(index / BLOCK)
  if (mine !== NONE && mine < blocks) tell()
  if (share.stopped) return
  share.end(at, blocks)
  listener.end(at, blocks)

  async function answerGroup(group: Group): Promise<void> {
    const row = coverage.row(group.kind)
    row.causes++
    const ruledOut = noneRuledOut()
    let tried = 0
    let open = 0
    let first: Found | undefined
    for (const proposal of group.candidates(ruledOut)) {
      if ((first && !asking.ungrouped) || tried >= asking.attempts) {
        const counted = group.open?.(noneRuledOut())
        if (counted !== undefined) {
          // The rest need not be made to be counted.
          row.propose(counted.open - open)
          row.settle(first ? 'grouped' : 'notLookedAt', 'tries', counted.open - open)
          open = counted.open
          Object.assign(ruledOut, counted.ruledOut)
          if (counted.atLeast) row.atLeast = true
          break
        }
        open++
        row.propose()
        row.settle(first ? 'grouped' : 'notLookedAt', 'tries')
        if (open < COUNT_AT_MOST) continue
        row.atLeast = true
        break
      }
      open++
      row.propose()
      tried++
      const answer = await settledLater(settle(proposal, engine.checker, showing(engine.trace)), (demands) =>
        engine.decider.decide(demands),
      )
      row.settle(answer.verdict, answer.verdict === 'unknown' ? answer.budget : answer.stage)
      decided++
      if (answer.verdict === 'feasible') {
        const { candidate, shown: witness, stage } = answer
        accept(engine, candidate, witness)
        first = { candidate, witness, stage, candidates: 1 }
        if (asking.ungrouped) found.push(first)
      }
      const pause = listener.pause(group.kind, decided, group.through)
      if (pause) await pause
      if (share.stopped) {
        row.atLeast = true
        break
      }
    }
    row.ruledOut('must-order', ruledOut.mustOrder)
    row.ruledOut('locks', ruledOut.locks)
    if (first && !asking.ungrouped) found.push({ ...first, candidates: open })
  }
}

/** Throws where the independent checker refuses. */
export function accept({ trace, checker }: Pick<Engine, 'trace' | 'checker'>, candidate: Proposal, witness: Difference): void {
  const refused = checker.check(candidate, witness)?.sentence ?? meaningless(trace, candidate, witness, checker.holds)
  if (refused) throw new Error(`the checker refused a witness of ${candidate.kind} (${causeOf(trace, candidate)}): ${refused}`)
}

const showing =
  (trace: Trace): Show<Proposal, Difference> =>
  (candidate, _, found) => {
    const witness = shownBy(trace, candidate, found)
    return witness && { shown: witness }
  }

/**
 * The order, if it shows what the candidate is about. Of a property it must: the decider was asked for just that. Of a typestate it need not, where
 * more operations touch the object than were asked about.
 */
function shownBy(trace: Trace, candidate: Proposal, witness: Difference): Difference | undefined {
  if (!candidate.shows) return witness
  const { order } = witness
  const simple = simplify(trace, order, keptOrders(candidate, witness))
  const last = candidate.events.filter((e) => candidate.next.includes(beginOf(trace, e)))
  const shown = (run: Int32Array): boolean => candidate.shows!(Int32Array.from([...run, ...last]))
  if (shown(simple)) return Difference.of(trace, simple)
  if (shown(order)) return witness
  if (candidate.kind === 'property') throw new Error(`the monitor does not see ${candidate.pattern} in a witness of it`)
  return undefined
}

/** What simplifying must not turn round. */
export const keptOrders = (candidate: Proposal, witness: Difference): Demands['before'] => [
  ...candidate.before,
  ...ordersThatHold(candidate, witness),
]
