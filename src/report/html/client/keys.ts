/** The keyboard. Keys act on the page; while a field has the focus, only Esc is handled. */
import type { Focus } from './focus.ts'
import type { ListView } from './list-view.ts'
import type { PictureView } from './picture-view.ts'

export interface Shown {
  readonly list?: ListView | undefined
  readonly focus?: Focus | undefined
  readonly picture?: PictureView | undefined
  /** To another finding of the list. */
  readonly move?: ((by: number) => void) | undefined
  back(): void
  theme(): void
  help(): void
}

export function keyDown(event: KeyboardEvent, shown: Shown): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const { target } = event
  const typing = target instanceof HTMLInputElement && target.type !== 'range'
  if (typing || target instanceof HTMLSelectElement) {
    if (event.key === 'Escape') (target as HTMLElement).blur()
    else if (typing && event.key === 'ArrowDown') shown.list?.move(1)
    else return
    event.preventDefault()
    return
  }
  // Native controls keep their keys.
  if (event.key === 'Enter' && target instanceof Element && target.closest('a, button, summary')) return
  const action = actionOf(event, shown)
  if (!action) return
  event.preventDefault()
  action()
}

function actionOf({ key, shiftKey }: KeyboardEvent, { list, focus, picture, move, back, theme, help }: Shown): (() => void) | undefined {
  if (key === '?') return help
  if (key === 't') return theme
  if (list) {
    if (key === 'j' || key === 'ArrowDown') return () => list.move(1)
    if (key === 'k' || key === 'ArrowUp') return () => list.move(-1)
    if (key === 'Enter') return () => list.open()
    if (key === '/') return () => list.search()
    return undefined
  }
  if (key === 'Escape') return back
  if (move && (key === 'j' || key === 'k')) return () => move(key === 'j' ? 1 : -1)
  if (!focus) return undefined
  if (key === 'ArrowRight') return () => (shiftKey ? focus.jump(1) : focus.step(1))
  if (key === 'ArrowLeft') return () => (shiftKey ? focus.jump(-1) : focus.step(-1))
  if (key === 'Home') return () => focus.go(focus.current.run, -1)
  if (key === 'End') return () => focus.go(focus.current.run, Infinity)
  if (key === 'r') return () => focus.swap()
  if (!picture) return undefined
  if (key === '+' || key === '=') return () => picture.zoom.set(picture.zoom.unit * 1.4)
  if (key === '-') return () => picture.zoom.set(picture.zoom.unit / 1.4)
  if (key === '0') return () => picture.fit()
  return undefined
}
