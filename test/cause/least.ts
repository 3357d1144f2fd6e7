/** Is there a schedule of fewer instructions with the same failure? `undefined`: too many to try. */
import type { Finding } from '../../src/confirm/confirm.ts'
import type { Saved } from '../../src/schedule/saved.ts'
import { compile } from '../frontends/litmus/compile.ts'
import { failureIn } from '../frontends/litmus/enumerate.ts'
import { follow, type Order } from '../frontends/litmus/follow.ts'
import { failsUnderOne } from '../frontends/litmus/loop-enumerate.ts'
import { Threads } from '../frontends/litmus/threads.ts'
import { messageOf } from './judge-cause.ts'

export function hasShorter(text: string, finding: Finding<Saved>): boolean | undefined {
  const { schedule } = finding.prediction
  if (schedule.kind === 'delays') {
    if (schedule.delays.length > 2) return undefined
    return (
      schedule.delays.length === 2 &&
      failsUnderOne(compile(`${text}\n`), schedule.command, schedule.timers, messageOf(finding)) !== undefined
    )
  }
  if (schedule.kind !== 'steps') return undefined
  const threads = new Threads(compile(`${text}\n`))
  const message = messageOf(finding)
  const { goesOn, lastFirst } = schedule
  const most = schedule.steps.length - 1
  if (most > 2) return undefined
  const lines = threads.program.units.flatMap(({ name, instructions }) =>
    Array.from({ length: 2 + instructions.length }, (_, i) => ({ task: name, upTo: i + 1, does: '', site: '', note: '' })),
  )
  const fails = (steps: Order['steps']): boolean =>
    failureIn(threads, follow(threads, { steps, ...(goesOn ? { goesOn } : {}), ...(lastFirst ? { lastFirst } : {}) }).state) === message
  const carried = (steps: Order['steps']): boolean => follow(threads, { steps }).steps.done >= steps.length
  let open: Order['steps'][] = [[]]
  for (let length = 1; length <= most; length++) {
    const next: Order['steps'][] = []
    for (const steps of open)
      for (const line of lines) {
        const tried = [...steps, line]
        if (steps.at(-1)?.task === line.task || !carried(tried)) continue
        if (fails(tried)) return true
        next.push(tried)
      }
    open = next
  }
  return false
}
