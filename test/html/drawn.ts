/** What a picture on the page shows, in pixels, read from its elements; and what must hold for every picture. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export interface Drawn {
  readonly stripes: readonly (Box & { readonly lane: number })[]
  readonly blocks: readonly (Box & { readonly lane: number; readonly block: number })[]
  readonly events: readonly { event: number; lane: number; number: number; flipped: boolean; x: number; y: number }[]
  readonly arrows: readonly { from: number; to: number; x1: number; y1: number; x2: number; y2: number }[]
}

export function drawn(page: Page, which: 'observed' | 'failing'): Promise<Drawn> {
  return page.locator(`.panel[data-run="${which}"] svg.view`).evaluate((svg): Drawn => {
    const number = (element: Element, name: string): number => Number(element.getAttribute(`data-${name}`))
    const all = (selector: string): Element[] => [...svg.querySelectorAll(selector)]
    const box = (rect: Element): Box => {
      const [x, y, w, h] = ['x', 'y', 'width', 'height'].map((name) => Number(rect.getAttribute(name))) as [number, number, number, number]
      return { left: x, right: x + w, top: y, bottom: y + h }
    }
    return {
      stripes: all('[data-stripe]').map((e) => ({ ...box(e), lane: number(e, 'stripe') })),
      blocks: all('[data-block]').map((e) => ({ ...box(e.querySelector('rect')!), lane: number(e, 'lane'), block: number(e, 'block') })),
      events: all('[data-event]').map((e) => {
        const [x, y] = /translate\((.*) (.*)\)/.exec(e.getAttribute('transform')!)!.slice(1).map(Number) as [number, number]
        const flipped = e.classList.contains('flipped')
        return { event: number(e, 'event'), lane: number(e, 'lane'), number: number(e, 'number'), flipped, x, y }
      }),
      arrows: all('[data-arrow]').map((e) => {
        const path = e.querySelector<SVGPathElement>('path.stroke')!
        const [a, b] = [path.getPointAtLength(0), path.getPointAtLength(path.getTotalLength())]
        return { from: number(e, 'from'), to: number(e, 'to'), x1: a.x, y1: a.y, x2: b.x, y2: b.y }
      }),
    }
  })
}

/** Blocks lie in their lanes and not on each other, events in order in their blocks, arrows from their event to their event, to the right. */
export function expectSound({ stripes, blocks, events, arrows }: Drawn): void {
  const stripe = new Map(stripes.map((s) => [s.lane, s]))
  for (const block of blocks) {
    const lane = stripe.get(block.lane)!
    expect(block.top).toBeGreaterThanOrEqual(lane.top)
    expect(block.bottom).toBeLessThanOrEqual(lane.bottom)
  }
  const across = blocks.toSorted((a, b) => a.block - b.block)
  for (const [i, block] of across.entries()) if (i > 0) expect(block.left).toBeGreaterThan(across[i - 1]!.right)
  const inOrder = events.toSorted((a, b) => a.event - b.event)
  for (const [i, event] of inOrder.entries()) {
    if (i > 0) expect(event.x).toBeGreaterThan(inOrder[i - 1]!.x)
    const inside = blocks.filter((b) => b.left <= event.x && event.x <= b.right && b.top <= event.y && event.y <= b.bottom)
    expect(inside.map((b) => b.lane)).toEqual([event.lane])
  }
  const place = new Map(events.map((e) => [e.event, e]))
  for (const { from, to, x1, y1, x2, y2 } of arrows) {
    expect(x1).toBeLessThan(x2)
    for (const [event, x, y] of [
      [from, x1, y1],
      [to, x2, y2],
    ] as const) {
      const at = place.get(event)
      if (!at) continue
      expect(Math.abs(at.x - x)).toBeLessThan(0.6)
      expect(Math.abs(at.y - y)).toBeLessThan(0.6)
    }
  }
}

/** Numbers of the flipped events from left to right. */
export const numbers = ({ events }: Drawn): number[] =>
  events
    .filter((e) => e.flipped)
    .toSorted((a, b) => a.x - b.x)
    .map((e) => e.number)
