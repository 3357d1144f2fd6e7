/** One run of a picture, with what drawing needs: the block and lane of an event, and the numbers of the flipped ones. */
import type { Picture, PictureArrow, PictureBlock, PictureSpan } from '../../../picture/picture.ts'
import { printable } from '../../escape.ts'
import { lanesOf, type Lane } from './lane.ts'
import { shortLocation } from '../../location-text.ts'
import type { StoryStep } from '../../story.ts'
import { doing } from '../../verbs.ts'
import { numbersOf, type Numbers } from './numbers.ts'

export type Which = 'observed' | 'failing'
export const otherOf = (which: Which): Which => (which === 'observed' ? 'failing' : 'observed')

const READS = new Set(['read', 'load', 'update', 'get', 'has'])
const WRITES = new Set(['write', 'store', 'update', 'set', 'delete'])
export const isRead = (does: string): boolean => READS.has(does)
export const isWrite = (does: string): boolean => WRITES.has(does)

export class RunModel {
  readonly size: number
  readonly blocks: readonly PictureBlock[]
  readonly arrows: readonly PictureArrow[]
  readonly spans: readonly PictureSpan[]
  /** In the order of the run. */
  readonly flipped: readonly number[]
  /** An order that was computed has the values of the recorded run, which are not its own from here on. */
  readonly unknownFrom: number
  readonly cut: { readonly before: number; readonly after: number }
  readonly #blockOf: Int32Array
  readonly #numbers: Numbers

  constructor(
    readonly picture: Picture,
    readonly which: Which,
    /** What the source calls a location. */
    private readonly names: (location: string) => string = shortLocation,
    /** Of rows alone each order has its own values. */
    ownValues = true,
    /** The steps of the finding, of which the flipped events have their numbers. */
    steps: readonly StoryStep[] = [],
  ) {
    const run = picture[which]
    this.size = run.does.length
    this.blocks = run.blocks
    this.arrows = run.arrows.filter(({ from, to }) => from >= 0 && to >= 0 && from < this.size && to < this.size)
    this.spans = run.spans.filter(({ from }) => from >= 0 && from < this.size)
    this.flipped = run.flipped.filter((e) => e >= 0 && e < this.size).toSorted((a, b) => a - b)
    this.cut = run.cut
    this.unknownFrom = !ownValues && which === 'failing' && picture.failingIs === 'prediction' ? (this.flipped[0] ?? Infinity) : Infinity
    this.#blockOf = new Int32Array(this.size).fill(-1)
    for (const [i, block] of run.blocks.entries()) this.#blockOf.fill(i, Math.max(0, block.from), Math.max(0, block.to))
    this.#numbers = numbersOf(picture, steps)[which]
  }

  /** 1, 2, 3 of a flipped event, else undefined. */
  number = (event: number): number | undefined => this.#numbers.get(event)
  blockOf = (event: number): number => this.#blockOf[event] ?? -1
  laneOf = (event: number): number => this.blocks[this.blockOf(event)]?.lane ?? 0
  lane = (event: number): Lane => lanesOf(this.picture)[this.laneOf(event)]!
  /** The same event in the other run, or -1. */
  same = (event: number): number => this.picture[this.which].same[event] ?? -1
  does = (event: number): string => this.#text(this.picture[this.which].does[event])
  /** The same as a sentence has it. */
  verb = (event: number): string => {
    const [does, { verbs = {} }] = [this.does(event), this.picture]
    return printable(doing(does, Object.hasOwn(verbs, does) ? verbs[does] : undefined))
  }
  what = (event: number): string => this.#text(this.picture[this.which].what[event])
  /** The same as the source calls it. */
  named = (event: number): string => this.name(this.picture.strings[this.picture[this.which].what[event] ?? -1] ?? '')
  name = (location: string): string => printable(this.names(location))
  /** Undefined where it is not known. */
  value = (event: number): string | undefined => {
    if (event >= this.unknownFrom) return undefined
    const index = this.picture[this.which].value[event] ?? -1
    // `#Map#3` is a reference to Map#3.
    return index < 0 ? undefined : printable(this.picture.strings[index] ?? '').replace(/^#(?=\w)/, '')
  }
  /** As it is in the trace: `file:line:column function < …`. */
  site = (event: number): string => {
    const index = this.picture[this.which].site[event] ?? -1
    return index < 0 ? '' : (this.picture.strings[index] ?? '').split(' < ')[0]!
  }
  text = (index: number): string => this.#text(index)

  #text(index: number | undefined): string {
    return index === undefined || index < 0 ? '' : printable(this.picture.strings[index] ?? '')
  }
}

/** "reads left.json and sees 1". */
export function eventText(run: RunModel, event: number): string {
  const does = run.does(event)
  const value = run.value(event)
  const what = run.named(event)
  const seen =
    value === undefined ? '' : isRead(does) && !isWrite(does) ? ` and sees ${value}` : isWrite(does) ? `: now ${value}` : ` (${value})`
  return `${run.verb(event)}${what === '' ? '' : ` ${what}`}${seen}`
}
