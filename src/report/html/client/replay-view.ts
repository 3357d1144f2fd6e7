/** The command that replays the finding, and what it does. */
import type { Schedule } from '../../../schedule/schedule.ts'
import type { FindingDocument } from '../../document.ts'
import { printable } from '../../escape.ts'
import { scheduleLines } from '../../schedule-text.ts'
import { asTest, TEST_RUNNERS, type TestRunner } from '../../as-test.ts'
import { copyButton } from './command.ts'
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

/** A regression test to be copied, for the runner that is chosen. */
export function testView(finding: FindingDocument, schedule: Schedule, title: string, sentence: string): HTMLElement {
  const code = h('pre', { tabindex: 0, 'aria-label': 'Regression test' })
  const choice = h(
    'select',
    { 'aria-label': 'Test runner', change: () => show() },
    ...TEST_RUNNERS.map((runner) => h('option', { value: runner }, runner === 'node' ? 'node:test' : runner)),
  )
  function show(): void {
    code.textContent = asTest({ ...finding, schedule, title, sentence }, choice.value as TestRunner)
  }
  show()
  return h(
    'div',
    { class: 'as-test' },
    h(
      'p',
      {},
      'It fails while the bug is there, and passes when it is mended. ',
      choice,
      ' ',
      copyButton(() => code.textContent, code, 'Copy as test'),
    ),
    code,
  )
}
