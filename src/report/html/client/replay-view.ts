/** The command that makes it happen again, and what it does. */
import type { Schedule } from '../../../schedule/schedule.ts'
import type { FindingDocument } from '../../document.ts'
import { printable } from '../../escape.ts'
import { scheduleLines } from '../../schedule-text.ts'
import { h } from './element.ts'

export function replayView({ fingerprint, replays, status, test }: FindingDocument, schedule: Schedule): HTMLElement {
  const steps = scheduleLines(schedule)
  const id = fingerprint.slice(0, 8)
  return h(
    'div',
    { class: 'replay' },
    command(`npx heddle replay ${id}`),
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

function command(text: string): HTMLElement {
  const code = h('code', { tabindex: 0 }, text)
  const button = h('button', { type: 'button', class: 'copy', click: () => void copy() }, 'Copy')
  async function copy(): Promise<void> {
    // Where the clipboard is out of reach (a file from disk in some browsers), the text is selected for Ctrl+C.
    try {
      await navigator.clipboard.writeText(text)
      button.textContent = 'Copied'
    } catch {
      getSelection()?.selectAllChildren(code)
      button.textContent = 'Selected: press Ctrl+C'
    }
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  }
  return h('div', { class: 'command' }, h('span', { class: 'prompt', 'aria-hidden': 'true' }, '$'), code, button)
}
