/**
 * Typestates of traces of threads (seed 001): the pairs of operations that typestate/pairs.ts finds, as candidates. The paper only tries to turn a pair around; here
 * an order is looked for in which the object is in the wrong state, and the machine is run over the order that came out (`shows`).
 *
 * A candidate first asks for what surely breaks the machine: the steps that led the object to the state, as they were recorded, then the operation. If that is not to
 * be had it asks only for the two to change places; where the machine permits the order that comes out, the candidate counts as unknown.
 */
import { NONE, type EventId, type Trace } from '../../trace/trace.ts'
import { isAccess } from '../../trace/ops.ts'
import { beginOf } from '../../trace/updates.ts'
import type { ThreadRun } from '../../causal/thread-run.ts'
import type { Typestate } from '../../property/ast.ts'
import type { Run } from '../../property/instance.ts'
import { Machine, States } from '../../property/machine.ts'
import { operationsOf } from '../../property/operations.ts'
import type { Demands } from '../../witness/candidate.ts'
import { causeOf } from '../cause.ts'
import { EarlierUses } from '../typestate/earlier-uses.ts'
import { typestatePairs, type TypestateCause, type TypestatePair } from '../typestate/pairs.ts'
import { rankCauses } from '../typestate/rank.ts'
import { askedOf } from './asked.ts'
import { noDemands, type Group, type Proposal, type RuledOut } from './group.ts'

/** One operation on an object, as recorded. */
interface Step {
  readonly event: EventId
  readonly operation: number
  readonly changes: boolean
}

/** Of the steps that led to a state, as many are asked for: those before them follow, or do not matter. */
const MOST_LED = 8

/** `onForgotten` is told how many operations were let go to bound the memory. */
export function* typestateViolations(run: ThreadRun, typestate: Typestate, onForgotten: (operations: number) => void): Iterable<Group> {
  const { causes, counts } = typestatePairs(typestate, run)
  if (counts.expired + counts.forgotten > 0) onForgotten(counts.expired + counts.forgotten)
  if (causes.length === 0) return
  const { trace } = run
  const machine = new Machine(typestate)
  const earlier = withEarlierUses(new EarlierUses(trace, machine), machine, causes)
  const steps = stepsOf(run, machine, earlier)
  for (const [i, cause] of rankCauses(earlier).entries()) {
    const whens = cause.operations.map((name) => machine.events.find((event) => event.name === name)!.when)
    const proposals = function* (ruledOut: RuledOut): Iterable<Proposal> {
      // Of all causes together: whose they are is not known any more.
      if (i === 0) ruledOut.mustOrder += counts.ordered
      for (const pair of cause.pairs) {
        const described = describe(trace, typestate, cause, pair)
        const x = pair.scenario === 'a' ? pair.first : pair.second
        const when = whens[pair.scenario === 'a' ? 0 : 1]
        const coming = when === 'before' || isAccess(trace.op[x]!)
        const own = steps.get(keyOf(pair.binding))!
        const shows = (order: Int32Array): boolean => breaks(machine, order, own, x)
        yield { ...described, ...demandsOf(run, pair, own.steps, coming), shows }
      }
    }
    yield {
      kind: 'typestate',
      key: causeOf(trace, { ...describe(trace, typestate, cause, cause.pairs[0]!), next: [] }),
      candidates: proposals,
    }
  }
}

const keyOf = (binding: Int32Array): string => binding.join(' ')

/** After every pair of (a) whose first operation leaves the state as it is, the same with uses that come before it. */
function withEarlierUses(uses: EarlierUses, machine: Machine, causes: readonly TypestateCause[]): TypestateCause[] {
  return causes.map((cause) => {
    const [first] = cause.operations
    const changes = machine.changes[machine.operations.indexOf(first)] === 1
    if (changes) return cause
    const pairs = cause.pairs.flatMap((pair) =>
      pair.scenario === 'a' ? [pair, ...uses.of(pair.first, pair.binding).map((use) => ({ ...pair, first: use }))] : [pair],
    )
    return { ...cause, pairs }
  })
}

function describe(trace: Trace, typestate: Typestate, cause: TypestateCause, pair: TypestatePair): Omit<Proposal, keyof Demands> {
  const { first, second, scenario, binding, stateBefore, stateAfter } = pair
  const [firstName, secondName] = cause.operations
  // (a): the second changed the state, and now does so before the first. (b): the first did, and has not yet.
  const state = scenario === 'a' ? stateAfter : stateBefore
  const slots = [
    { name: secondName, event: second, task: undefined },
    { name: firstName, event: first, task: undefined },
  ]
  return {
    kind: 'typestate',
    pattern: typestate.name,
    events: [second, first],
    match:
      scenario === 'a'
        ? { events: [second, first], before: [[0, 1]], guards: [], parallel: undefined }
        : { events: [second], before: [], guards: [{ events: [first], after: NONE, before: 0 }], parallel: undefined },
    property: askedOf(trace, typestate, binding, slots, { state, broken: scenario === 'a' ? slots : slots.slice(0, 1) }),
  }
}

/** Does the machine refuse x in this run? The object begins as it did in the recorded one, which may have shown more of it. */
function breaks(machine: Machine, order: Int32Array, { begin, steps }: ObjectSteps, x: EventId): boolean {
  const operations = new Map<EventId, number[]>()
  for (const { event, operation } of steps) {
    const known = operations.get(event)
    if (known) known.push(operation)
    else operations.set(event, [operation])
  }
  let state = begin
  for (const event of order) {
    for (const operation of operations.get(event) ?? []) {
      const to = machine.after(state, operation)
      if (event === x) return to === NONE
      if (to !== NONE) state = to
    }
  }
  return false
}

interface ObjectSteps {
  /** The state it was in when it was first seen. */
  begin: number
  readonly steps: Step[]
}

/** The operations on the objects of the pairs, in recorded order: those that can change a state, the first of each object, and those of the pairs. */
function stepsOf(run: Run, machine: Machine, causes: readonly TypestateCause[]): Map<string, ObjectSteps> {
  const operations = operationsOf(machine, run)
  const states = new States(machine)
  const steps = new Map<string, ObjectSteps>()
  const paired = new Set<EventId>()
  for (const { pairs } of causes) {
    for (const { binding, first, second } of pairs) {
      paired.add(first).add(second)
      steps.set(keyOf(binding), { begin: NONE, steps: [] })
    }
  }
  const listOf = new Map<number, ObjectSteps | undefined>()
  operations.each((event, operation, object) => {
    if (!listOf.has(object)) listOf.set(object, steps.get(keyOf(operations.bindingOf(object))))
    const from = states.before(object, operation)
    const to = machine.after(from, operation)
    if (to !== NONE) states.set(object, to)
    const own = listOf.get(object)
    if (!own) return
    const isFirst = own.begin === NONE
    if (isFirst) own.begin = from
    if (isFirst || machine.changes[operation] === 1 || paired.has(event))
      own.steps.push({ event, operation, changes: to !== NONE && to !== from })
  })
  return steps
}

/** x is the operation that finds the wrong state; `coming`: it need not run. */
function demandsOf(run: Run, pair: TypestatePair, steps: readonly Step[], coming: boolean): Demands & Pick<Proposal, 'otherwise'> {
  const { trace } = run
  const { first, second, scenario } = pair
  const x = scenario === 'a' ? first : second
  const at = (e: EventId): number => steps.findIndex((step) => step.event === e)
  const [i, j] = [at(first), at(second)]
  const turned = scenario === 'a' ? question(trace, x, coming, [second], []) : question(trace, x, coming, [], [first])
  if (i < 0 || j < 0) return turned
  // (a): x comes right after y; where x itself changed the state, y comes right before it. (b): x comes right before y.
  const until = scenario === 'a' && !steps[i]!.changes ? j : i
  const led = steps.filter((step, k) => k < until && k !== i && (step.changes || k === 0)).map((step) => step.event)
  const rest = firstOfEach(
    run,
    steps.filter((step, k) => k >= until && k !== i && k !== j && step.changes).map((step) => step.event),
  )
  if (scenario === 'a') led.push(second)
  return { ...question(trace, x, coming, led.slice(-MOST_LED), scenario === 'a' ? rest : [...rest, first]), otherwise: turned }
}

/** Of each task the first: where that does not run, what comes after it does not either. */
function firstOfEach(run: Run, events: readonly EventId[]): EventId[] {
  const found: EventId[] = []
  for (const e of events) if (!found.some((f) => run.sameTask(f, e))) found.push(e)
  return found
}

/** These in order, then x; the others not before it. */
function question(trace: Trace, x: EventId, coming: boolean, led: readonly EventId[], others: readonly EventId[]): Demands {
  const chain = led.slice(1).map((e, i) => [led[i]!, e] as const)
  if (coming) return { ...noDemands, next: [beginOf(trace, x)], include: led, before: chain, without: others }
  const last = led.at(-1)
  return {
    ...noDemands,
    include: [...led, x],
    before: last === undefined ? chain : [...chain, [last, x] as const],
    either: others.map((e) => [[x, e] as const]),
  }
}
