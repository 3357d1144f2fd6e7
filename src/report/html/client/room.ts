/** The size of a scroller, measured when it changes: reading it after every change of the page would force a layout each time. */
const TALLEST = 520

export class Room {
  width = 0
  height = 0
  #tall = 0

  constructor(private readonly scroller: HTMLElement) {}

  /** Has it changed? */
  measure(): boolean {
    const { clientWidth, clientHeight } = this.scroller
    const changed = clientWidth !== this.width || clientHeight !== this.height
    this.width = clientWidth
    this.height = clientHeight
    return changed
  }

  /** For a picture of this height. What the browser reports later is then nothing new. */
  fit(picture: number): void {
    const tall = Math.min(picture + 14, TALLEST)
    this.scroller.style.height = `${tall}px`
    if (this.height > 0) this.height += tall - this.#tall
    this.#tall = tall
  }
}
