/** From the options of `heddle check`, however they were given, to the arguments of a check. */
import { allowanceOf } from '../base/allowance.ts'
import type { CheckOptions } from '../check.ts'
import type { RecordPlan } from '../frontends/contract.ts'
import type { Isolate } from '../isolate/isolation.ts'
import type { CheckDocument } from '../report/document.ts'
import type { OrderKind } from '../trace/trace.ts'
import type { Timers } from '../schedule/schedule.ts'
import { badBudget, badWindow } from './errors.ts'
import type { Arguments } from './parse.ts'

/** What a check was allowed, as its document has it. */
export const budgetsOf = ({
  timeMs,
  replays,
  maxFindings,
  confirm,
}: Pick<CheckOptions, 'timeMs' | 'replays' | 'maxFindings' | 'confirm'>): NonNullable<CheckDocument['budgets']> => ({
  time: timeMs / 1000,
  replays,
  maxFindings,
  confirm,
})

/** `--branches`, `--branch-window 10000@3`. */
function branchesOf(args: Arguments): RecordPlan['branches'] {
  const window = args.word('branch-window')
  if (window === undefined) return args.flag('branches') ? {} : undefined
  const match = /^([1-9]\d{0,8})(?:@(\d{1,8}))?$/.exec(window)
  if (!match) throw badWindow(window)
  return { window: Number(match[1]), nth: Number(match[2] ?? 0) }
}

/** Undefined where none is set. */
export function checkedBudget(text: string | undefined): string | undefined {
  if (text !== undefined && allowanceOf(text) === undefined) throw badBudget(text)
  return text
}

/** What the options of `check` say of the run and of the analysis. */
export function settingsOf(args: Arguments) {
  const seconds = args.number('record-time')
  return {
    timers: args.word<Timers>('timers')!,
    include: args.list('include'),
    exclude: args.list('exclude'),
    detail: args.flag('detail'),
    order: args.word<OrderKind>('order'),
    branches: branchesOf(args),
    limitMs: seconds === undefined ? undefined : seconds * 1000,
    only: args.words('only'),
    expectExit: args.number('expect-exit'),
    timeMs: args.number('time')! * 1000,
    isTimeSaid: args.isSaid('time'),
    budget: checkedBudget(args.word('budget')),
    // To the end means: as often as it takes.
    replays: args.flag('exhaustive') ? 1_000_000 : args.number('replays')!,
    depth: args.number('depth'),
    exhaustive: args.flag('exhaustive'),
    maxFindings: args.number('max-findings')!,
    confirm: args.number('confirm')!,
    maxDelay: args.number('max-delay'),
    picture: args.number('picture'),
    whyVaries: args.flag('why-varies'),
    isolate: args.words('isolate') as Isolate[] | undefined,
    atOnce: args.number('at-once'),
    hooks: { beforeEach: args.word('before-each'), afterEach: args.word('after-each') },
  }
}
