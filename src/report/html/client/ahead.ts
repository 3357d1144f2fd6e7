/** The layout for the next steps of a long run, made in advance: computing it during a step would be visibly slow. */
import { withEvent } from './fold.ts'
import { Layout } from './layout.ts'
import type { RunModel } from './run-model.ts'

/** Steps. */
const SOON = 8

export class Ahead {
  #ready: { readonly after: Layout; readonly layout: Layout } | undefined

  constructor(private readonly run: RunModel) {}

  /** The layout with an event that the given one leaves out. */
  with(layout: Layout, event: number): Layout {
    const ready = this.#ready
    return ready?.after === layout && ready.layout.isShown(event) ? ready.layout : this.#made(layout, event)
  }

  /** Makes the one for the first of the next events that is left out. */
  prepare(layout: Layout, event: number | undefined): void {
    if (event === undefined || this.#ready?.after === layout) return
    const next = layout.fold.shown.indexOf(0, event)
    if (next >= 0 && next < event + SOON) this.#ready = { after: layout, layout: this.#made(layout, next) }
  }

  #made = (layout: Layout, event: number): Layout => new Layout(this.run, withEvent(layout.fold, this.run, event))
}
