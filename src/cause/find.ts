/**
 * From a failure back to its cause. The schedule is first reduced to what is needed. Of the conflicts that the failing run then has in the other
 * order, the one that explains the failure best is reported. The predicted order is kept if it is among them and none is clearly better. If there is
 * no such conflict, only the delay is known, and the finding says so.
 */
import type { Budget } from '../confirm/budget.ts'
import { NOT_ORDERED, watchingFor, type FailedRun, type Finding } from '../confirm/confirm.ts'
import { AS_RECORDED } from '../confirm/as-recorded.ts'
import { FLAKY } from '../confirm/flaky.ts'
import { outcomeOf, type Failure } from '../confirm/outcome.ts'
import { replay, type Rerun, type ReplayRun } from '../confirm/run.ts'
import type { SeenViolation } from '../property/seen.ts'
import type { Saved } from '../schedule/saved.ts'
import { instructionsOf, keyOf, type Schedule } from '../schedule/schedule.ts'
import { LoopView } from '../causal/loop/turns.ts'
import { lineOf } from '../predict/loop/shape.ts'
import type { Cause } from '../confirm/cause.ts'
import { asCheck } from './as-check.ts'
import { asOrder, asRead } from './as-order.ts'
import { withBranchCost } from './branch-cost.ts'
import { cameAbout } from './came-about.ts'
import { costOf } from './cost.ts'
import { turnedIn } from './loop.ts'
import { onTheWay } from './on-the-way.ts'
import { turnedOutcomes } from './outcomes.ts'
import { OtherWays } from './other-ways.ts'
import { isRefuted, prove, type Proof, type Try } from './prove.ts'
import { pairsOf } from './pairs.ts'
import { failsAsRecorded, failsWithout } from './rivals.ts'
import { shorten, shrink } from './shrink.ts'
import { turnedAmongThreads } from './threads.ts'
import { tooLong, unexplained, type MostDelay } from './too-long.ts'
import type { Turned } from './turned.ts'
import { unbroken } from './unbroken.ts'
import { violatedIn } from './violated.ts'

/** Replays for one failure at most, besides those that judge a shorter schedule. */
const MOST_REPLAYS = 24
/** Orders of one failure that are looked at. */
const MOST_ORDERS = 3

/** `findings`: one per failure, with the others of it in `also`. */
export async function withCauses(
  findings: readonly Finding<Saved>[],
  rerun: Rerun,
  budget: Budget,
  most: MostDelay,
): Promise<Finding<Saved>[]> {
  const found: Finding<Saved>[] = []
  for (const finding of findings) {
    const causes = canLookAt(finding) ? await causesOf(finding, rerun, budget, most, found.length + 1 < budget.findings) : [finding]
    found.push(...causes.map((one) => withBranchCost(one, rerun)))
  }
  return found
}

/** What came without a schedule has nothing to leave out; of a branch the flip is what was asked for. */
const canLookAt = ({ status, failure, prediction: { kind, branch, schedule } }: Finding<Saved>): boolean =>
  status === 'FAILED' &&
  failure !== undefined &&
  branch === undefined &&
  kind !== FLAKY &&
  kind !== AS_RECORDED &&
  instructionsOf(schedule).length > 0

/** One, or two where what fails in the same way does so for different reasons. */
async function causesOf(
  finding: Finding<Saved>,
  rerun: Rerun,
  budget: Budget,
  most: MostDelay,
  mayPart: boolean,
): Promise<Finding<Saved>[]> {
  const { also = [], ...first } = finding
  const all = [first, ...also]
  const left = new Left(rerun, budget, MOST_REPLAYS + all.slice(0, MOST_ORDERS).reduce((sum, { replays }) => sum + replays.runs, 0))
  let best: (Explained & { readonly isKnown: boolean }) | undefined
  for (const one of all.filter(canLookAt).slice(0, MOST_ORDERS)) {
    const explained = await explain(one, rerun, left)
    const { finding: found, run } = explained
    // That somebody may look too early explains no delay that is long.
    const isKnown = explained.points > 0 && explained.isConflict !== false && explained.isLastLook !== true
    const why = (run && (await tooLong(found, rerun, run, attemptOf(found, rerun, left), most, isKnown))) ?? unexplained(found, isKnown)
    const judged = { ...explained, isKnown, ...(why === undefined ? {} : { why, points: explained.points - TOO_LONG }) }
    if (!best || judged.points > best.points) best = judged
    if (best.points >= ENOUGH || left.none) break
  }
  if (!best) return [finding]
  const { fingerprint } = best.finding.prediction
  // What somebody asked for stays in the list, if another conflict explains it.
  const isAsked = (other: Finding<Saved>): boolean => isAskedFor(other.prediction, rerun)
  const others = all.filter((other) => (other !== best.of || isAsked(other)) && other.prediction.fingerprint !== fingerprint)
  if (best.why !== undefined) {
    const asOthers = (one: Finding<Saved>): Finding<Saved> => ({ ...one, status: 'NEEDS DELAY' })
    const named = best.isKnown ? best.finding : notIsolated(best.finding)
    return [together({ ...asOthers(named), note: best.why }, others.map(asOthers))]
  }
  if (best.points <= 0) return [together(notIsolated(best.finding), others)]
  const second = mayPart ? await apart(best.finding, others, rerun, left, most) : undefined
  if (!second) return [together(best.finding, others)]
  const [where] = second.finding.prediction.locations
  const rest = others.filter((other) => other !== second.of)
  const isOfSecond = ({ prediction }: Finding<Saved>): boolean =>
    where !== best.finding.prediction.locations[0] && prediction.locations[0] === where
  return [
    together(
      best.finding,
      rest.filter((other) => !isOfSecond(other)),
    ),
    together(second.finding, rest.filter(isOfSecond)),
  ]
}

/** Another order of the same failure that fails as well with the cause in its recorded order, and what makes it fail. */
async function apart(
  { prediction }: Finding<Saved>,
  others: readonly Finding<Saved>[],
  rerun: Rerun,
  left: Left,
  most: MostDelay,
): Promise<Explained | undefined> {
  const pairs = pairsOf(prediction.observed, prediction.failing)
  const { loop, threads } = rerun.run ?? {}
  for (const other of others.filter((one) => canLookAt(one) && !isAskedFor(one.prediction, rerun)).slice(0, MOST_ORDERS)) {
    if (left.none) return undefined
    const {
      failed,
      prediction: { schedule },
    } = other
    const isApart = failed && (await failsAsRecorded(pairs, failed, schedule, { loop, threads }, attemptOf(other, rerun, left)))
    if (!isApart) continue
    const explained = await explain(other, rerun, left)
    const { finding, points, run, isConflict } = explained
    const isKnown = points > PROVED['one way'] && isConflict !== false
    if (!isKnown || !isOther(prediction, finding.prediction)) continue
    if (run && (await tooLong(finding, rerun, run, attemptOf(finding, rerun, left), most, true)) === undefined) return explained
  }
  return undefined
}

/** Another mistake: elsewhere, or in other lines. What breaks into an update at one place in another way is the same. */
function isOther(a: Saved, b: Saved): boolean {
  if (a.locations[0] !== b.locations[0]) return true
  const lines = new Set(a.sites.map(lineOf))
  return a.kind !== 'atomicity' && b.kind !== 'atomicity' && !b.sites.some((site) => lines.has(lineOf(site)))
}

/** Is it a property or a typestate that somebody asked for? Of threads a typestate is known by its pattern. */
const isAskedFor = ({ property, kind, pattern }: Saved, { asked }: Rerun): boolean =>
  asked?.has(property?.name ?? (kind === 'typestate' ? pattern : '')) === true

/** A finding with the least schedule that shows it, and how well the order it names explains the failure; 0: not at all. */
interface Explained {
  readonly of: Finding<Saved>
  readonly finding: Finding<Saved>
  readonly points: number
  /** One that fails by its schedule. */
  readonly run?: FailedRun | undefined
  /** False: a violation is all that is known of it. */
  readonly isConflict?: boolean | undefined
  readonly isLastLook?: boolean | undefined
  /** Why it needs a longer delay than the program has to bear. */
  readonly why?: string
}

/** Another order of the same failure comes first, if it needs no such delay. */
const TOO_LONG = 10_000
/** In the user's own code, on something with a name. */
const ENOUGH = 20
/** The order that was predicted and came about, where nothing else is known of it. */
const AS_PREDICTED = 12
/** A property that the failing run violates, where no conflict is proved. */
const ON_THE_WAY = 13
/** It was predicted, and what was predicted came about. */
const PREDICTED = 5
/** Conflicts of one failure that are put to the test. */
const MOST_TESTED = 4
/** Of these, those that each is held against. */
const MOST_RIVALS = 2
/** What an experiment says counts for more than where a conflict is. */
const PROVED: Readonly<Record<Proof['proof'], number>> = { cause: 1000, 'one way': 500, needed: 400, 'not proved': 0 }

async function explain(of: Finding<Saved>, rerun: Rerun, left: Left): Promise<Explained> {
  const least = await leastOf(of, rerun, left)
  const { run, shrunk } = least
  const named = namedBy(least.finding, rerun, run)

  if (!run) return { of, ...named[0]! }
  const attempt = attemptOf(least.finding, rerun, left)
  const asItIs = async (finding: Finding<Saved>): Promise<Finding<Saved>> => {
    const { prediction } = finding
    // The picture shows the rows that are told.
    const as = (told: Saved): Finding<Saved> => {
      const picture = told.observed === prediction.observed ? undefined : rerun.pictures?.of(told, run)
      return { ...finding, prediction: told, ...(picture ? { picture } : {}) }
    }
    if (prediction.kind === 'atomicity')
      return (await unbroken(prediction, rerun, attempt)) === 'failed' ? as(asOrder(prediction, rerun.run)) : finding
    const checked = rerun.run?.threads && run.threads && asCheck(prediction, rerun.run.threads, run.threads)
    // It is that, if it passes whoever comes first as a whole.
    if (checked && (await unbroken(checked, rerun, attempt, run.threads)) === 'passed') return as(checked)
    return as(asRead(prediction, rerun.run))
  }
  const otherWays = new OtherWays(rerun, attempt)
  let best: Explained | undefined
  // What is no conflict costs no replay.
  const isTested = (one: (typeof named)[number]): boolean => one.isConflict !== false
  const tested = named.filter(isTested).slice(0, MOST_TESTED)
  for (const { finding, points, isFixed, isConflict, isLastLook } of [...tested, ...named.filter((one) => !isTested(one))]) {
    if (points <= 0) continue
    const { prediction } = finding
    const rivals = isFixed === true ? [] : tested.flatMap((one) => (isRival(prediction, one) ? [one.finding.prediction] : []))
    const proof = await amongRivals(prediction, await prove(prediction, rerun, run, attempt), rivals, rerun, attempt)
    const cost = costOf(prediction, rerun, run)
    const proved = { ...finding, cause: { ...proof, shrunk, ...(cost ? { cost } : {}) } }
    if (isFixed && !(isFixed === 'unless refuted' && isRefuted(proof))) return { of, finding: proved, points, run }
    if (!isRefuted(proof)) {
      const all = points + PROVED[proof.proof]
      if (!best || all > best.points) best = { of, finding: await asItIs(proved), points: all, run, isConflict, isLastLook }
      if (proof.proof === 'cause') break
    }
  }
  if (best) return { ...best, finding: await withOtherWay(best.finding, otherWays) }
  const cost = costOf(least.finding.prediction, rerun, run)
  const nothing: Proof = { proof: 'not proved', asRecorded: 'not tried', alone: 'not tried' }
  return { of, finding: { ...least.finding, cause: { ...nothing, shrunk, ...(cost ? { cost } : {}) } }, points: 0, run }
}

/** What is named may be one of several ways to fail. */
async function withOtherWay(finding: Finding<Saved>, ways: OtherWays): Promise<Finding<Saved>> {
  const { cause, prediction } = finding
  if (cause?.proof !== 'cause') return finding
  const other = await ways.without(prediction)
  return other === undefined ? finding : { ...finding, cause: { ...cause, proof: 'one way', other } }
}

/** What breaks into an update at one place in another way is the same mistake. */
const isRival = ({ kind, locations, fingerprint }: Saved, { finding: { prediction: other }, points }: Omit<Explained, 'of'>): boolean =>
  points > 0 && other.fingerprint !== fingerprint && !(kind === 'atomicity' && other.locations[0] === locations[0])

/** Where another conflict makes it fail without this one, it is one way to fail, and the other is another. */
async function amongRivals(
  prediction: Saved,
  proof: Proof,
  rivals: readonly Saved[],
  rerun: Rerun,
  attempt: Try,
): Promise<Proof & Pick<Cause, 'other'>> {
  if (proof.proof !== 'cause') return proof
  for (const other of rivals.slice(0, MOST_RIVALS))
    if (await failsWithout(prediction, other, rerun, attempt)) return { ...proof, proof: 'one way', other: other.summary }
  return proof
}

/** What may be named as the cause, best first. `isFixed`: it is the failure itself, whatever else is turned round. */
function namedBy(
  finding: Finding<Saved>,
  rerun: Rerun,
  run: FailedRun | undefined,
): (Omit<Explained, 'of'> & { readonly isFixed?: boolean | 'unless refuted' })[] {
  const { prediction, ordered, violation, failure } = finding
  // What is violated is the failure itself, or is on the way to it.
  if (violation && failure?.how === 'violation') return [{ finding, points: ENOUGH, isFixed: true }]
  if (ordered && prediction.property?.bothOrders) return [{ finding, points: ENOUGH, isFixed: true }]
  if (failure?.how === 'hang' && prediction.kind === 'deadlock' && ordered) return [{ finding, points: ENOUGH, isFixed: true }]
  const turned = run ? turnedRound(prediction, rerun, run, violation) : []
  const own = turned.find((one) => isSame(one, prediction))
  const isAsPredicted = ordered && prediction.failing.length > 0 && cameAbout(prediction, run, violation)
  const points = own ? own.points + PREDICTED : isAsPredicted ? AS_PREDICTED : 0
  const isViolated = violation !== undefined && violation.property === prediction.property?.name
  const others = turned
    .filter((one) => one !== own)
    .map((one) => {
      const { property: _property, ...rest } = prediction
      const { points: found, isLastLook, ...named } = one
      const renamed = { ...rest, ...named }
      const picture = rerun.pictures?.of(renamed, run)
      const note = finding.note === NOT_ORDERED ? undefined : finding.note
      return {
        finding: { ...finding, prediction: renamed, ordered: true, note, ...(picture ? { picture } : {}) },
        points: found,
        isLastLook,
      }
    })
  const seen = onTheWay(prediction, violation, rerun.properties ?? [])
  const named = seen ? [{ finding: { ...finding, prediction: seen, ordered: true }, points: ON_THE_WAY, isConflict: false }] : []
  // What somebody asked for is told in any case, if it came about.
  const isAsked = isAskedFor(prediction, rerun)
  if (isViolated || (ordered && isAsked)) return [{ finding, points: ENOUGH, isFixed: isAsked || 'unless refuted' }, ...others, ...named]
  return [{ finding, points, isLastLook: own?.isLastLook }, ...others, ...named].sort((a, b) => b.points - a.points)
}

/** A replay that is an experiment. */
function attemptOf({ prediction, failure }: Finding<Saved>, rerun: Rerun, left: Left): Try {
  const watching = watchingFor(prediction)
  return async (schedule) => {
    if (left.none) return undefined
    left.take()
    const run = await replay(rerun, schedule)
    if (run.stopped === 'interrupted') return undefined
    const outcome = outcomeOf(run, schedule, rerun.recording, watching)
    const failed = outcome.result === 'failed'
    return { run, failed, same: failed && outcome.failure.shape === failure!.shape }
  }
}

const together = (first: Finding<Saved>, also: readonly Finding<Saved>[]): Finding<Saved> =>
  also.length === 0 ? first : { ...first, also }

/** Replays that may still be made for this failure. */
class Left {
  constructor(
    private readonly rerun: Rerun,
    private readonly budget: Budget,
    private count: number,
  ) {}

  get none(): boolean {
    const { budget, rerun } = this
    return this.count <= 0 || budget.replaysLeft <= 0 || performance.now() >= budget.deadline || rerun.signal?.aborted === true
  }

  get most(): number {
    return Math.min(this.count, this.budget.replaysLeft)
  }

  take(): void {
    this.count--
    this.budget.replaysLeft--
  }
}

/** What the failing run has the other way round than the recorded one, best first. */
function turnedRound(
  { schedule }: Saved,
  { run: recorded }: Rerun,
  { loop, threads, crash, uncaught }: FailedRun,
  violation: SeenViolation | undefined,
): Turned[] {
  if (schedule.kind === 'delays') return recorded?.loop && loop ? turnedIn(new LoopView(recorded.loop), new LoopView(loop), schedule) : []
  if (!recorded?.threads || !threads) return []
  const violated = violatedIn(recorded.threads, threads, violation)
  const turned = [
    ...(violated ? [violated] : []),
    ...turnedAmongThreads(recorded.threads, threads, crash?.task ?? uncaught?.task),
    ...turnedOutcomes(recorded.threads, threads),
  ]
  return turned.sort((a, b) => b.points - a.points)
}

/** Does a prediction speak of this conflict? */
const isSame = ({ fingerprint, locations, sites }: Turned, prediction: Saved): boolean =>
  fingerprint === prediction.fingerprint ||
  (locations[0] === prediction.locations[0] && sites.every((site) => prediction.sites.some((other) => lineOf(other) === lineOf(site))))

/** `run`: one that fails by it. */
interface Least {
  readonly finding: Finding<Saved>
  readonly run?: FailedRun | undefined
  readonly shrunk: Cause['shrunk']
}

/** The finding with the least schedule that fails as it does, and a run of it. `ordered` then says of this one whether its order comes about. */
async function leastOf(finding: Finding<Saved>, rerun: Rerun, left: Left): Promise<Least> {
  const { prediction, failure } = finding
  const watching = watchingFor(prediction)
  const again = async (schedule: Schedule, toDraw = false): Promise<ReplayRun | undefined> => {
    if (left.none) return undefined
    left.take()
    const run = await replay(rerun, schedule, toDraw)
    return run.stopped !== 'interrupted' && failsLike(failure!, run, schedule, rerun, watching) ? run : undefined
  }
  const fails = async (tried: Schedule): Promise<boolean> => (await again(tried)) !== undefined
  // What is kept is judged anew, as often as the other was: those replays are not for looking.
  const toJudge = Math.max(1, finding.replays.runs)
  const fewer = await shrink(prediction.schedule, fails, left.most - toJudge)
  const { schedule, replays: made } = await shorten(fewer.schedule, fails, left.most - toJudge)
  const before = instructionsOf(prediction.schedule).length
  const shrunk = { before, after: instructionsOf(schedule).length, replays: fewer.replays + made, least: fewer.isLeast }
  const isWhole = schedule === prediction.schedule || keyOf(schedule) === keyOf(prediction.schedule)
  if (isWhole && finding.failed?.isWhole) return { finding, run: finding.failed, shrunk }
  // The last time with all that a picture needs.
  const most = isWhole ? 1 : toJudge
  let run: ReplayRun | undefined
  let [runs, failures] = [0, 0]
  for (; runs < most && !left.none; runs++) {
    const failed = await again(schedule, runs === most - 1)
    if (failed) [run, failures] = [failed, failures + 1]
  }
  if (run === undefined || (!isWhole && failures * 2 <= runs))
    return { finding, run: finding.failed, shrunk: { ...shrunk, after: before, least: false } }
  const outcome = outcomeOf(run, schedule, rerun.recording, watching)
  const ordered = (outcome.result === 'failed' && outcome.ordered) || (isWhole && finding.ordered)
  const shorter = { ...prediction, schedule }
  const picture = rerun.pictures?.of(shorter, run)
  const replays = isWhole ? finding.replays : { runs, failures }
  return { finding: { ...finding, prediction: shorter, replays, ordered, ...(picture ? { picture } : {}) }, run, shrunk }
}

function failsLike(
  { shape }: Failure,
  run: ReplayRun,
  schedule: Schedule,
  { recording }: Rerun,
  watching: ReturnType<typeof watchingFor>,
): boolean {
  const outcome = outcomeOf(run, schedule, recording, watching)
  return outcome.result === 'failed' && outcome.failure.shape === shape
}

/** The order shown is not what makes it fail: all that is known is what was late. */
function notIsolated(finding: Finding<Saved>): Finding<Saved> {
  const { prediction } = finding
  const notes = instructionsOf(prediction.schedule).map(({ note }) => note.split(', posted at ')[0]!)
  const late =
    prediction.schedule.kind === 'steps'
      ? 'its threads take turns in this order'
      : `${notes.slice(0, 2).join(' and ')} ${notes.length > 1 ? 'are' : 'is'} late`
  const { property: _property, ...rest } = prediction
  return {
    ...finding,
    prediction: {
      ...rest,
      kind: NOT_ISOLATED,
      pattern: 'cause not isolated',
      summary: `The program fails when ${late}. The cause was not isolated.`,
      locations: [],
      observed: [],
      failing: [],
      why: [],
    },
  }
}

export const NOT_ISOLATED = 'not isolated'
