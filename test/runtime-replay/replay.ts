/** Runs a small program under the replayer: once with an empty schedule to learn the labels, then with the instructions made from them. */
import type { RunReport } from '../../src/runtime/js/protocol.ts'
import { SCHEDULE_VERSION, type Delay } from '../../src/schedule/schedule.ts'
import { NONE } from '../../src/trace/trace.ts'
import { POST } from '../../src/trace/ops.ts'
import { run, type Options, type Outcome } from '../runtime/program.ts'

export interface Post {
  readonly queue: string
  readonly label: string
}

const LONG = 1_000_000

export async function replay(
  source: string | Readonly<Record<string, string>>,
  delays: readonly Delay[] = [],
  { horizon = LONG, guide, ...options }: Options & { horizon?: number; guide?: string } = {},
): Promise<Outcome> {
  const files = typeof source === 'string' ? { 'main.cjs': source } : source
  // oxlint-disable-next-line unicorn/no-thenable
  const expect = { first: { label: '', nth: 1 }, then: { label: '', nth: 1 } }
  const schedule = { heddle: SCHEDULE_VERSION, command: [], timers: 'due', kind: 'delays', delays, horizon, expect } as const
  return run(files, { ...options, config: { ...options.config, mode: 'replay', schedule, ...(guide === undefined ? {} : { guide }) } })
}

/** What the recorded run posts, in order. The labels are those of replays. */
export async function postsOf(source: string): Promise<Post[]> {
  const trace = (await run({ 'main.cjs': source })).trace()
  const posts: Post[] = []
  for (const event of trace.recordedOrder()) {
    if (trace.op[event] !== POST || trace.value[event] === NONE) continue
    posts.push({ queue: trace.targetName(event), label: trace.tables.values.textOf(trace.value[event]!).replace(/^#/, '') })
  }
  return posts
}

/** The label of the nth post (from 1) whose queue begins so. */
export function labelOf(posts: readonly Post[], queue: string, nth = 1): string {
  const post = posts.filter((post) => post.queue === queue || post.queue.startsWith(`${queue} `))[nth - 1]
  if (post === undefined) throw new Error(`no post ${nth} of ${queue}: ${posts.map((post) => post.queue).join(', ')}`)
  return post.label
}

export const hold = (what: string, until: string, at: 'start' | 'finish' = 'finish', nth = 1): Delay => ({
  do: 'hold',
  what: { label: what, nth },
  at,
  until: { label: until, nth: 1 },
  note: '',
})

export const stall = (after: string, ms: number): Delay => ({ do: 'stall', after, ms, note: '' })

export const words = (outcome: Outcome): string => outcome.stdout.trim().replace(/\n/g, ' ')

export const told = (report: RunReport | undefined): string =>
  (report?.replay ?? []).map((note) => `${note.step} ${note.did}${note.did === 'gave up' ? ` ${note.why}` : ''}`).join(', ')
