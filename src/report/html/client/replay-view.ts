/** The command that makes it happen again, and what it does. */
import type { Schedule } from '../../../schedule/schedule.ts'
import type { FindingDocument } from '../../document.ts'
import { printable } from '../../escape.ts'
import { scheduleLines } from '../../schedule-text.ts'
import { h } from './element.ts'

export function replayView({ replays, status, test }: FindingDocument, schedule: Schedule): HTMLElement {
  const steps = scheduleLines(schedule)
  return h(
    'div',
    { class: 'replay' },
    status === 'PREDICTED'
      ? h('p', { class: 'quiet' }, 'It was not replayed, for lack of time or replays: a check with a larger budget does.')
      : h('p', { class: 'quiet' }, `${replays.failures} of ${replays.runs} replays failed.`),
    test && h('p', {}, 'Found in the test ', h('strong', {}, printable(test.name)), ' of ', h('code', {}, printable(test.file))),
    h('h3', {}, 'Schedule'),
    steps.length > 0
      ? h('ol', { class: 'schedule' }, ...steps.map((step) => h('li', {}, printable(step))))
      : h('p', { class: 'quiet' }, 'Nothing has to be held.'),
    h('p', { class: 'quiet' }, 'Of ', h('code', {}, printable(schedule.command.join(' '))), ` (timers ${printable(schedule.timers)})`),
  )
}
