/** A list of rows of equal height of which only the visible ones are in the page: a hundred thousand scroll like twenty. */
import { h } from './element.ts'
import { lifetime } from './lifetime.ts'

export interface VirtualRows {
  readonly element: HTMLElement
  /** Draws the rows again. */
  update(count: number): void
  /** Scrolls as little as needed. */
  reveal(row: number): void
}

const MORE = 6
/** On paper nobody scrolls. */
const MOST_PRINTED = 500

export function virtualRows(
  rowHeight: () => number,
  rowOf: (row: number) => HTMLElement,
  label: string,
  scroller?: HTMLElement,
): VirtualRows {
  const rows = h('div', { class: 'rows', role: 'list', 'aria-label': label })
  let count = 0
  let drawn = ''
  let asked = 0

  function draw(force: boolean, whole = false): void {
    const height = rowHeight()
    const top = scroller ? scroller.scrollTop : Math.max(0, -rows.getBoundingClientRect().top)
    const view = scroller ? scroller.clientHeight || 320 : innerHeight
    const from = whole ? 0 : Math.max(0, Math.floor(top / height) - MORE)
    const to = Math.min(count, whole ? MOST_PRINTED : Math.ceil((top + view) / height) + MORE)
    const key = `${from} ${to} ${height}`
    if (!force && key === drawn) return
    drawn = key
    rows.style.height = `${(whole ? to : count) * height}px`
    const focused = rows.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset['row'] : undefined
    const elements: HTMLElement[] = []
    for (let row = from; row < to; row++) {
      const element = rowOf(row)
      element.dataset['row'] = String(row)
      element.setAttribute('aria-posinset', String(row + 1))
      element.setAttribute('aria-setsize', String(count))
      element.style.top = `${row * height}px`
      element.style.height = `${height}px`
      elements.push(element)
    }
    rows.replaceChildren(...elements)
    if (focused !== undefined) elements.find((e) => e.dataset['row'] === focused)?.focus({ preventScroll: true })
  }

  const later = (): void => {
    if (!rows.isConnected) return
    asked ||= requestAnimationFrame(() => {
      asked = 0
      draw(false)
    })
  }
  ;(scroller ?? window).addEventListener('scroll', later, { passive: true, signal: lifetime() })
  addEventListener('resize', later, { signal: lifetime() })
  addEventListener('beforeprint', () => draw(true, true), { signal: lifetime() })
  addEventListener('afterprint', () => draw(true), { signal: lifetime() })

  return {
    element: rows,
    update(n) {
      count = n
      draw(true)
    },
    reveal(row) {
      const height = rowHeight()
      if (scroller) {
        const top = row * height
        if (top < scroller.scrollTop) scroller.scrollTop = top
        else if (top + height > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = top + height - scroller.clientHeight
      } else {
        const top = rows.getBoundingClientRect().top + row * height
        if (top < 80) scrollBy({ top: top - 80 })
        else if (top + height > innerHeight) scrollBy({ top: top + height - innerHeight + 8 })
      }
      draw(false)
    },
  }
}
