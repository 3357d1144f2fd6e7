/** Makes elements. Text becomes text nodes and attributes are set by name, so that no name from a program can become markup. */

type Child = Node | string | number | false | undefined | null
type Listener = (event: never) => void
export type Props = Readonly<Record<string, string | number | boolean | undefined | Listener>>

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), props, children)
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children)
}

function filled<E extends Element>(element: E, props: Props, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(name, value as EventListener)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  for (const child of children) {
    if (child === undefined || child === null || child === false) continue
    element.append(typeof child === 'number' ? String(child) : child)
  }
  return element
}

/** A heading with an anchor for screen readers, and what belongs to it. */
export function section(id: string, title: string, ...children: readonly Child[]): HTMLElement {
  return h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), ...children)
}

/** The same, to be opened by who wants it. */
export function folded(id: string, title: string, ...children: readonly Child[]): HTMLElement {
  const inside = h('div', { class: 'inside' }, ...children)
  const details = h('details', { id, class: 'folded' }, h('summary', {}, h('h2', { id: `${id}-title` }, title)), inside)
  details.addEventListener(
    'toggle',
    () => details.open && inside.querySelectorAll('[data-lazy]').forEach((part) => part.dispatchEvent(new Event(UNFOLD))),
  )
  return details
}

const UNFOLD = 'unfold'

/** A part that is drawn by `show` only while it can be seen: at once, or when what it is folded into is opened. Gives `show` for later changes. */
export function lazily(part: HTMLElement, show: () => void): () => void {
  const shown = (): void => {
    if (part.closest('details')?.open ?? part.isConnected) show()
  }
  part.setAttribute('data-lazy', '')
  part.addEventListener(UNFOLD, show)
  queueMicrotask(shown)
  return shown
}

export const plural = (n: number, one: string, many = `${one}s`): string => `${n.toLocaleString('en')} ${n === 1 ? one : many}`
