/** A text with a copy button: a command, or a test. */
import { h } from './element.ts'

export function command(text: string): HTMLElement {
  const code = h('code', { tabindex: 0 }, text)
  return h(
    'div',
    { class: 'command' },
    h('span', { class: 'prompt', 'aria-hidden': 'true' }, '$'),
    code,
    copyButton(() => text, code),
  )
}

/** Where the clipboard is out of reach (a file from disk in some browsers), what is shown is selected for Ctrl+C. */
export function copyButton(text: () => string, shown: HTMLElement, label = 'Copy'): HTMLElement {
  const button = h('button', { type: 'button', class: 'copy', click: () => void copy() }, label)
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text())
      button.textContent = 'Copied'
    } catch {
      getSelection()?.selectAllChildren(shown)
      button.textContent = 'Selected: press Ctrl+C'
    }
    setTimeout(() => (button.textContent = label), 2000)
  }
  return button
}
