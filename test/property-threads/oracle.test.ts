/** Random properties over random small traces: what `predict --ungrouped` says of each binding against all feasible runs and the plain meaning of the property. */
import { afterAll, expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { predict } from '../../src/predict/predict.ts'
import { format } from '../../src/property/format.ts'
import type { EventDeclaration, Pattern, Property } from '../../src/property/ast.ts'
import type { EventId, Trace } from '../../src/trace/trace.ts'
import { UPDATE } from '../../src/trace/ops.ts'
import { isReadHalf } from '../../src/trace/updates.ts'
import type { Model } from '../../src/trace/model.ts'
import { sized } from '../layer.ts'
import { visitRuns } from '../oracle/enumerate.ts'
import { allowed, matches, type Found, type World } from '../oracle/obvious-match.ts'
import { needNotRun, operandsOf, randomProperty, withCalls } from '../oracle/random-property.ts'
import { randomTrace, type RandomTraceOptions } from '../oracle/random-trace.ts'
import { showTrace } from '../oracle/shrink.ts'
import { modelsOf } from '../oracle/sorts.ts'
import { totalsOf } from '../adds-up.ts'

const TRACES = sized(8, 100)
const MOST_RUNS = 20_000
const SORTS: Record<string, RandomTraceOptions> = {
  plain: { events: [4, 9], tasks: [2, 3], locations: [1, 2], values: 2, waits: false },
  locks: { events: [6, 12], tasks: 2, locks: [1, 2], locations: 1, extras: true, waits: false },
  functions: { events: [6, 12], tasks: 2, regions: true, branches: true, locations: [1, 2], waits: false, locks: [0, 1] },
  updates: { events: [4, 9], tasks: [2, 3], atomics: 7, locations: 1, values: 2, waits: false, locks: [0, 1] },
  waits: { events: [6, 11], tasks: [2, 3], locks: 1, signals: 1, locations: 1 },
  'order of tasks only': { events: [4, 9], tasks: [2, 3], order: 'task', locations: [1, 2], values: 2, waits: false, locks: [0, 1] },
}

const counts = { traces: 0, questions: 0, violated: 0, 'too many runs': 0 }
afterAll(() => console.log(JSON.stringify(counts)))

/** One way to give every parameter a value and every task attribute a task. */
interface Beta {
  readonly values: ReadonlyMap<string, string>
  readonly tasks: ReadonlyMap<string, number>
}

/** Bindings that some feasible run violates the property under, each as far as the events of the match bind it. Undefined when there are too many runs. */
function truth(trace: Trace, model: Model, property: Property): Set<string> | undefined {
  const declared = new Map(property.events.map((event) => [event.name, event]))
  const operands = new Map<string, (Map<string, string> | undefined)[]>()
  for (const [name, event] of declared)
    operands.set(
      name,
      Array.from({ length: trace.eventCount }, (_, e) => operandsOf(trace, event, e)),
    )
  const used = namesIn(property.pattern)
  const matters = (e: EventId): boolean => [...used].some((name) => operands.get(name)![e] !== undefined)
  const betas = allBetas(trace, property, operands)
  const found = new Set<string>()
  const sequence = property.pattern.kind === 'sequence' ? property.pattern.parts : [property.pattern]
  const atOnce = sequence.at(-1)!.kind === 'parallel' ? (sequence.at(-1) as Extract<Pattern, { kind: 'parallel' }>) : undefined
  const before: Pattern = atOnce ? { kind: 'sequence', parts: sequence.slice(0, -1) } : property.pattern
  const boundBy = (filled: readonly { name: string; event: EventId }[]): string => {
    const bound = new Map<string, string>()
    for (const { name, event } of filled) for (const [p, value] of operands.get(name)![event]!) bound.set(p, value)
    return property.parameters.map((p) => bound.get(p.name) ?? '-').join(' ')
  }
  const worlds = betas.map((beta): [Beta, World] => [
    beta,
    {
      is: (name, e) => {
        const mine = operands.get(name)![e]
        return mine !== undefined && [...mine].every(([p, value]) => beta.values.get(p) === value)
      },
      taskOf: (e) => trace.taskOf(e),
      attribute: (name) => beta.tasks.get(name)!,
      endOf: () => undefined,
    },
  ])
  const seen = new Set<string>()
  const done = visitRuns(trace, model, matters, MOST_RUNS, (history, canBeNext) => {
    const next = Array.from({ length: trace.eventCount }, (_, e) => e).filter(canBeNext)
    const key = `${history.join(' ')} | ${next.join(' ')}`
    if (seen.has(key)) return
    seen.add(key)
    for (const [beta, world] of worlds) {
      const tell = (match: Found, run: readonly EventId[], more: { name: string; event: EventId }[] = []): void => {
        const filled = [...match.places.map(({ at, name }) => ({ name, event: run[at]! })), ...more]
        if (new Set(filled.map(({ event }) => event)).size === filled.length && filled.length > 0) found.add(boundBy(filled))
      }
      if (atOnce) {
        const side = (pattern: Pattern, e: EventId): boolean =>
          pattern.kind === 'event' &&
          world.is(pattern.name, e) &&
          (pattern.task === undefined || trace.taskOf(e) === beta.tasks.get(pattern.task))
        const coming = next.filter((e) => trace.op[e] !== UPDATE).flatMap((e) => (isReadHalf(trace, e) ? [e, e + 1] : [e]))
        for (const match of matches(before, history, world)) {
          for (const x of coming) {
            for (const y of coming) {
              if (trace.taskOf(x) === trace.taskOf(y) || !side(atOnce.left, x) || !side(atOnce.right, y)) continue
              if (!allowed(match, history, world)) continue
              const names = [atOnce.left, atOnce.right].map((p) => (p.kind === 'event' ? p.name : ''))
              tell(match, history, [
                { name: names[0]!, event: x },
                { name: names[1]!, event: y },
              ])
            }
          }
        }
        continue
      }
      for (const match of matches(before, history, world)) tell(match, history)
      for (const e of next) {
        if (trace.op[e] === UPDATE) continue
        const whole = isReadHalf(trace, e) ? [[e], [e, e + 1]] : [[e]]
        for (const last of whole) {
          if (!matters(last.at(-1)!)) continue
          const run = [...history, ...last]
          for (const match of matches(before, run, world)) {
            const ofLast = match.places.filter(({ at }) => at >= history.length)
            // Of an update only the write half, which comes to its begin; the read half by itself may be what comes next, too.
            if (ofLast.length !== 1 || ofLast[0]!.at !== run.length - 1) continue
            if (needNotRun(trace, declared.get(ofLast[0]!.name)!, run.at(-1)!)) tell(match, run)
          }
        }
      }
    }
  })
  return done ? found : undefined
}

function namesIn(pattern: Pattern): Set<string> {
  switch (pattern.kind) {
    case 'event':
      return new Set([pattern.name])
    case 'repeat':
    case 'not':
      return namesIn(pattern.inner)
    case 'parallel':
      return new Set([...namesIn(pattern.left), ...namesIn(pattern.right)])
    default:
      return new Set(pattern.parts.flatMap((part) => [...namesIn(part)]))
  }
}

function allBetas(trace: Trace, property: Property, operands: Map<string, (Map<string, string> | undefined)[]>): Beta[] {
  const values = (p: string): string[] => [
    ...new Set([...operands.values()].flat().flatMap((mine) => (mine?.has(p) ? [mine.get(p)!] : []))),
    'nothing',
  ]
  let all: Map<string, string>[] = [new Map()]
  for (const { name } of property.parameters) all = all.flatMap((beta) => values(name).map((value) => new Map([...beta, [name, value]])))
  const tasks: Map<string, number>[] = []
  for (let a = 0; a < trace.taskCount; a++)
    for (let b = 0; b < trace.taskCount; b++)
      if (a !== b)
        tasks.push(
          new Map([
            ['t1', a],
            ['t2', b],
          ]),
        )
  if (tasks.length === 0)
    tasks.push(
      new Map([
        ['t1', 0],
        ['t2', -1],
      ]),
    )
  return all.flatMap((v) => tasks.map((t) => ({ values: v, tasks: t })))
}

async function predicted(trace: Trace, model: Model, property: Property): Promise<Set<string>> {
  const found = await predict(trace, { kinds: ['property'], properties: [property], model, ungrouped: true })
  const { unknown, notLookedAt } = totalsOf(found.coverage)
  if (unknown > 0 || notLookedAt > 0) throw new Error('not all was decided')
  return new Set(
    found.predictions.map(({ candidate }) => property.parameters.map((p) => candidate.property!.binding[p.name] ?? '-').join(' ')),
  )
}

/** Where a guard names a parameter or task that no event of the pattern binds, the page leaves open what it means. */
function isClear(property: Property): boolean {
  const declared = new Map(property.events.map((event) => [event.name, event]))
  const named = (event: EventDeclaration): string[] =>
    [event.target, event.value, event.location, ...(event.args?.places ?? [])].flatMap((p) =>
      p?.kind === 'name' && p.name !== 'v' ? [p.name] : [],
    )
  const sure = (pattern: Pattern): Set<string> => {
    switch (pattern.kind) {
      case 'event':
        return new Set([...named(declared.get(pattern.name)!), ...(pattern.task === undefined ? [] : [pattern.task])])
      case 'choice': {
        const [one, ...rest] = pattern.parts.map(sure)
        return new Set([...one!].filter((p) => rest.every((other) => other.has(p))))
      }
      case 'repeat':
        return pattern.how === '+' ? sure(pattern.inner) : new Set()
      case 'not':
        return pattern.inner.kind === 'sequence' ? sure(pattern.inner) : new Set()
      case 'parallel':
        return new Set([...sure(pattern.left), ...sure(pattern.right)])
      default:
        return new Set(pattern.parts.flatMap((part) => [...sure(part)]))
    }
  }
  const guards = (pattern: Pattern): Pattern[] => {
    switch (pattern.kind) {
      case 'not':
        return pattern.inner.kind === 'sequence' ? [] : pattern.inner.kind === 'choice' ? [...pattern.inner.parts] : [pattern.inner]
      case 'event':
      case 'parallel':
        return []
      case 'repeat':
        return guards(pattern.inner)
      default:
        return pattern.parts.flatMap(guards)
    }
  }
  const bound = sure(property.pattern)
  return guards(property.pattern).every((guard) => [...sure(guard)].every((p) => bound.has(p)))
}

const hasStar = (pattern: Pattern): boolean => JSON.stringify(pattern).includes('"how":"*"')

/** Of `p*` no round is enough: then what a round would have bound stays open, and one such binding stands for all. */
function different(found: ReadonlySet<string>, expected: ReadonlySet<string>, open: boolean): string[] {
  const covers = (general: string, special: string): boolean => {
    const values = special.split(' ')
    return general.split(' ').every((value, i) => value === values[i] || (open && value === '-'))
  }
  return [
    ...[...found].filter((f) => !expected.has(f)).map((f) => `found and not so: ${f}`),
    ...[...expected].filter((e) => ![...found].some((f) => covers(f, e))).map((e) => `so and not found: ${e}`),
  ]
}

for (const [sort, options] of Object.entries(SORTS)) {
  test(`agrees with the meaning on all runs: ${sort}`, async () => {
    for (let seed = 0; seed < TRACES; seed++) {
      const random = new Random(seed * 7 + sort.length)
      const trace = withCalls(randomTrace(seed, options), random, 0.3)
      counts.traces++
      for (let i = 0; i < 4; i++) {
        const property = randomProperty(trace, random)
        if (!isClear(property)) continue
        for (const model of modelsOf(trace)) {
          const expected = truth(trace, model, property)
          if (!expected) {
            counts['too many runs']++
            continue
          }
          const about = (): string => `seed ${seed} of "${sort}", ${model}\n${format({ declarations: [property] })}\n${showTrace(trace)}`
          let found: Set<string>
          try {
            found = await predicted(trace, model, property)
          } catch (error) {
            throw new Error(`${error instanceof Error ? error.stack : String(error)}\n${about()}`, { cause: error })
          }
          counts.questions++
          counts.violated += expected.size
          expect(different(found, expected, hasStar(property.pattern)), about()).toEqual([])
        }
      }
    }
  })
}
