/** Which properties and typestates a run violates, in the form of a report. */
import type { Recording, Run } from '../frontends/contract.ts'
import { createHash } from 'node:crypto'
import type { LoopRun } from '../causal/loop/run.ts'
import { ShownThreads } from '../causal/shown-threads.ts'
import type { Declaration, Pattern } from '../property/ast.ts'
import { format } from '../property/format.ts'
import { newMonitorCounts, violations } from '../property/monitor.ts'
import { bindingTexts, eventName, eventSite, eventValue, eventWord, plainValue, saysOf } from '../property/words.ts'
import type { SeenViolation, ViolatingEvent } from '../property/seen.ts'
import type { EventId } from '../trace/trace.ts'
import { plainSchedule } from '../schedule/schedule.ts'
import type { Saved } from '../schedule/saved.ts'

/** Of one property in one run: the first few tell enough. */
const MOST = 20

/** `fromBegin`: names of typestates whose objects are seen from their begin. */
export function violationsOf(
  run: LoopRun | ShownThreads,
  declarations: readonly Declaration[],
  fromBegin: ReadonlySet<string> = new Set(),
  onNote: (note: string) => void = () => {},
): SeenViolation[] {
  const { trace } = run
  const seen = (declaration: Declaration): ReturnType<typeof violations> => {
    const counts = newMonitorCounts()
    const found = violations(declaration, run, MOST, { fromBegin: fromBegin.has(declaration.name), counts })
    if (counts.exhausted || counts.dropped > 0)
      onNote(
        `${declaration.name}: the recorded run has too many events to check this in full. There may be violations that are not listed.`,
      )
    return found
  }
  // That two events can come in either order is nothing that one run shows.
  const shown = declarations.filter((d) => d.kind === 'typestate' || !saysParallel(d.shown ?? d.pattern))
  return shown.flatMap((declaration) =>
    seen(declaration).map((found): SeenViolation => {
      const binding = bindingTexts(declaration, found.binding, trace)
      const state = 'state' in found ? String(found.state) : undefined
      const events = found.slots.map((slot): ViolatingEvent => ({ name: slot.name, ...eventOf(run, slot.event) }))
      return {
        property: declaration.name,
        kind: declaration.kind,
        confirm: declaration.confirm,
        says: saysOf(declaration, { binding, ...(state === undefined ? {} : { state }) }, found.slots),
        binding,
        ...(state === undefined ? {} : { state }),
        events,
        shape: [declaration.name, ...events.map((e) => `${e.name} ${(e.stack[0] ?? '').replace(/:\d+$/, '')}`)].join('; '),
      }
    }),
  )
}

function saysParallel(pattern: Pattern): boolean {
  if (pattern.kind === 'parallel') return true
  if ('parts' in pattern) return pattern.parts.some(saysParallel)
  return 'inner' in pattern && saysParallel(pattern.inner)
}

function eventOf(run: LoopRun | ShownThreads, e: EventId): Omit<ViolatingEvent, 'name'> {
  const { trace } = run
  return {
    does: eventWord(trace, e),
    what: eventName(trace, e),
    object: eventValue(trace, e),
    stack: eventSite(trace, e).split(' < ').filter(Boolean),
    ...(run instanceof ShownThreads ? { turn: '', task: run.nameOf(e) } : inTurn(run, e)),
  }
}

function inTurn(run: LoopRun, e: EventId): { turn: string; task: string } {
  const { view } = run
  const { unit, chain } = run.doing(e)
  const turn = view.turnOf(unit)
  return { turn: turn < 0 ? '' : view.nameOf(turn), task: chain < 0 ? 'main' : view.opLabel[chain]! }
}

/** What is looked for in the threads of replays, where the front end gives them back. */
export function declaredForThreads(
  threads: Run['threads'],
  declarations: readonly Declaration[],
  asked: ReadonlySet<string>,
): readonly Declaration[] {
  if (threads?.properties === undefined) return []
  return [...threads.properties, ...threads.typestates, ...declarations.filter(({ name }) => asked.has(name))]
}

/** What the recorded run itself violates needs no other order, only to be seen again. */
export function asRecorded(
  seen: readonly SeenViolation[],
  declarations: readonly Declaration[],
  recording: Pick<Recording, 'command' | 'timers'>,
): Saved[] {
  const shapes = new Set<string>()
  return seen.flatMap((violation): Saved[] => {
    if (violation.confirm !== 'violation' || shapes.has(violation.shape)) return []
    shapes.add(violation.shape)
    const declaration = declarations.find((d) => d.name === violation.property)!
    const { property: name, kind, confirm, binding, says, events, shape } = violation
    return [
      {
        fingerprint: createHash('sha256').update(`recorded\n${shape}`).digest('hex').slice(0, 16),
        kind,
        pattern: name,
        property: { name, confirm, binding, text: format({ declarations: [declaration] }), recorded: true },
        summary: says,
        sites: [...new Set(events.flatMap((e) => e.stack.slice(0, 1)))],
        locations: Object.values(binding).map(plainValue),
        observed: [],
        failing: [],
        why: ['The recorded run shows it already: no other order is needed.'],
        count: 1,
        schedule: plainSchedule(recording),
      },
    ]
  })
}

/** The same for properties that nobody asked for, a sentence for each. */
export function shownAnyway(seen: readonly SeenViolation[]): string[] {
  const first = new Map(seen.filter((v) => v.confirm === 'violation').map((v) => [v.property, v]))
  return [...first.values()].map(({ property, says, events }) => {
    const place = events.at(-1)?.stack[0]
    return `The recorded run itself violates ${property}${place === undefined ? '' : ` at ${place}`}: ${says} The run passed nevertheless, so it does not count as a failure.`
  })
}
