/** The part of a replay's plan that is the same on every machine: an object of the queue, named by its hash. Writer and reader. */
import { count, Fault, fields, flag, line, list, take, text, whole, word, type Shape } from '../../base/schema.ts'
import type { AlonePlan, ReplayPlan } from '../../frontends/contract.ts'
import { readSchedule } from '../../schedule/read.ts'

export type PortablePlan =
  | ({ readonly kind: 'replay' } & Pick<ReplayPlan, 'schedule' | 'watch' | 'ownWatch' | 'memory' | 'toDraw' | 'branches'>)
  | { readonly kind: 'alone' }

const WATCH: Shape = list(
  fields({
    kind: word('call', 'execution'),
    '?owner': line(),
    '?subclasses': flag,
    name: line(),
    when: list(word('before', 'after', 'answered'), 3),
    args: whole(0, 1000),
    '?first': list(text(4096), 1000),
  }),
  100_000,
)
const REPLAY: Shape = fields({ kind: word('replay'), watch: WATCH, '?ownWatch': WATCH, memory: flag, toDraw: flag, branches: flag })

export function planBytes(plan: ReplayPlan | AlonePlan): Buffer {
  if (!('schedule' in plan)) return Buffer.from(JSON.stringify({ kind: 'alone' } satisfies PortablePlan))
  const { schedule, watch, ownWatch, memory, toDraw, branches } = plan
  return Buffer.from(
    JSON.stringify({ kind: 'replay', schedule, watch, ...(ownWatch ? { ownWatch } : {}), memory, toDraw, branches } satisfies PortablePlan),
  )
}

/** What is wrong with it is half a sentence. */
export function readPlan(bytes: Uint8Array): PortablePlan | { readonly wrong: string } {
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return { wrong: 'it is not JSON' }
  }
  if (typeof json !== 'object' || json === null) return { wrong: 'it is no object' }
  if ('kind' in json && json.kind === 'alone') return { kind: 'alone' }
  const plan = take<Omit<Extract<PortablePlan, { kind: 'replay' }>, 'schedule'>>(json, REPLAY)
  if (plan instanceof Fault) return { wrong: plan.text }
  const schedule = readSchedule('schedule' in json ? json.schedule : undefined, 'schedule')
  if ('wrong' in schedule) return { wrong: schedule.wrong }
  return { ...plan, schedule }
}

/** How a run ended elsewhere. */
export interface SaidOfRun {
  readonly exit: { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly ms: number }
  readonly stopped: 'watchdog' | 'stuck' | 'interrupted' | undefined
  readonly stdout: string
  readonly stderr: string
  /** The folder of the project there. */
  readonly root: string
}

const SAID: Shape = fields({
  exit: fields({ '?code': whole(0, 255), '?signal': line(20), ms: count }),
  '?stopped': word('watchdog', 'stuck', 'interrupted'),
  stdout: text(1 << 20),
  stderr: text(1 << 20),
  root: line(),
})

/** Left out where it is null: shapes know no null. */
export const saidOf = ({ exit: { code, signal, ms }, stopped, stdout, stderr, root }: SaidOfRun): unknown => ({
  exit: { ...(code === null ? {} : { code }), ...(signal === null ? {} : { signal }), ms: Math.round(ms) },
  ...(stopped ? { stopped } : {}),
  stdout,
  stderr,
  root,
})

export function readSaid(said: unknown): SaidOfRun | Fault {
  const taken = take<Omit<SaidOfRun, 'exit'> & { readonly exit: { code?: number; signal?: NodeJS.Signals; ms: number } }>(said, SAID)
  if (taken instanceof Fault) return taken
  const { code = null, signal = null, ms } = taken.exit
  return { ...taken, stopped: taken.stopped, exit: { code, signal, ms } }
}
