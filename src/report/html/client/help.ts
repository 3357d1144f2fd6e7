/** The keys, in a dialog. */
import { h } from './element.ts'

const KEYS: readonly (readonly [string, string])[] = [
  ['j  k  ↓  ↑', 'next and previous finding'],
  ['Enter', 'open it'],
  ['Esc', 'back to the list'],
  ['/', 'search'],
  ['←  →', 'one step back or on, in the order'],
  ['Shift ←  Shift →', 'previous or next numbered event'],
  ['Home  End', 'first and last step'],
  ['r', 'the same event in the other order'],
  ['+  −  0', 'zoom; all of the picture'],
  ['t', 'light or dark'],
  ['?', 'this help'],
]

export function helpDialog(): HTMLDialogElement {
  const dialog = h(
    'dialog',
    { class: 'help', 'aria-label': 'Keys' },
    h('h2', {}, 'Keys'),
    h('dl', {}, ...KEYS.flatMap(([key, text]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, text)])),
    h('button', { type: 'button', click: () => dialog.close() }, 'Close'),
  )
  return dialog
}
