/** Draws the findings of one check: the recorded run is read once, each failing run when it has been replayed. */
import type { OrderRow } from '../schedule/order.ts'
import { type LoopRun, LoopRun as Run } from '../causal/loop/run.ts'
import { LoopView } from '../causal/loop/turns.ts'
import type { Saved } from '../schedule/saved.ts'
import { ofThreads } from '../schedule/schedule.ts'
import type { Joined } from '../trace/joined.ts'
import { NONE, type Trace } from '../trace/trace.ts'
import { choose } from './choose.ts'
import { drawRun, type DrawnRun } from './draw.ts'
import { ChainLanes, ThreadLanes, type Lanes } from './lanes.ts'
import { LoopSketch } from './loop.ts'
import { matchRuns } from './match.ts'
import type { Picture, PictureRun } from './picture.ts'
import { drawRows, keyOf, pairUp } from './rows.ts'
import type { EventPlace, Sketch } from './sketch.ts'
import { Strings } from './strings.ts'
import { ThreadSketch } from './threads.ts'

/** Events a picture has at most in each of its runs, unless told. */
export const USUAL_PICTURE = 400

type Drawable = Pick<Saved, 'observed' | 'failing' | 'schedule'>

/** A run that failed, as far as it was recorded. */
export interface FailingRun {
  readonly loop?: Trace | undefined
  readonly threads?: Joined | undefined
}

/** The recorded run. */
interface Recorded {
  readonly loop: LoopRun | undefined
  readonly threads: Joined | undefined
  /** Processes that the program started. */
  readonly processes?: readonly { readonly name: string; readonly run: { readonly threads?: Joined } }[] | undefined
}

export class Pictures {
  private loop: LoopSketch | undefined
  /** By process; the program itself has no name. */
  private readonly threads = new Map<string | undefined, ThreadSketch>()

  constructor(
    private readonly recorded: Recorded,
    /** 0: no pictures. */
    readonly most: number,
  ) {}

  /** Undefined where there is nothing to draw: no rows, or no room. */
  of(finding: Drawable, failed: FailingRun | undefined): Picture | undefined {
    const rows = [...finding.observed, ...finding.failing]
    if (this.most === 0 || rows.length === 0) return undefined
    const strings = new Strings()
    if (ofThreads(finding.schedule)) {
      const recorded = this.threadsOf(finding.schedule.process)
      const sketch = recorded && this.sketchOf(finding.schedule.process, recorded)
      const failing = failed?.threads && new ThreadSketch(failed.threads, sketch?.cells)
      return withVerbs(this.draw(finding, sketch, failing, new ThreadLanes(rows, strings), strings), recorded)
    }
    this.loop ??= this.recorded.loop && new LoopSketch(this.recorded.loop)
    const failing = failed?.loop && new LoopSketch(new Run(new LoopView(failed.loop)))
    return this.draw(finding, this.loop, failing, new ChainLanes(rows, strings), strings)
  }

  private threadsOf(process: string | undefined): Joined | undefined {
    const { threads, processes = [] } = this.recorded
    return process === undefined ? threads : processes.find(({ name }) => name === process)?.run.threads
  }

  private sketchOf(process: string | undefined, threads: Joined): ThreadSketch {
    let sketch = this.threads.get(process)
    if (!sketch) this.threads.set(process, (sketch = new ThreadSketch(threads)))
    return sketch
  }

  private draw<S extends Sketch>(
    finding: Drawable,
    recorded: S | undefined,
    replayed: S | undefined,
    lanes: Lanes<S>,
    strings: Strings,
  ): Picture {
    const about = recorded ? foundIn(recorded, finding.observed, true) : new Map<EventPlace, number>()
    const same = recorded && replayed && matchRuns(recorded, replayed)
    const flips = replayed ? foundIn(replayed, finding.failing, false) : new Map<EventPlace, number>()
    const add = (place: EventPlace): unknown => flips.has(place) || flips.set(place, 0)
    if (same) for (const place of about.keys()) if (same[0][place] !== NONE) add(same[0][place]!)
    if (!recorded || about.size === 0) return ofRows(finding, lanes, strings)
    const chosen = choose(recorded, [...about.keys()], [], this.most)
    const observed = drawRun(recorded, chosen, about, lanes, strings)
    // A run that ended before it came to what the picture is about is none to show.
    if (!replayed || !same || flips.size < Math.min(2, about.size)) return ofRun(finding, observed, recorded, lanes, strings)
    const images = function* (): Generator<EventPlace> {
      for (const place of observed.places) if (same[0][place] !== NONE) yield same[0][place]!
    }
    replayed.failures().forEach(add)
    const failing = drawRun(replayed, choose(replayed, [...flips.keys()], images(), this.most), flips, lanes, strings)
    return finish(lanes, strings, 'replay', {
      observed: { ...observed.run, same: numbers(observed.places, same[0], failing.numberOf) },
      failing: { ...failing.run, same: numbers(failing.places, same[1], observed.numberOf) },
    })
  }
}

/** The places of rows, each with the number of its row. In another run a step that is only like the wanted one, and comes too early to be it, is none: the run ended before it. */
function foundIn(sketch: Sketch, rows: readonly OrderRow[], exactly: boolean): Map<EventPlace, number> {
  const places = new Map<EventPlace, number>()
  let last = NONE
  for (const [i, row] of rows.entries()) {
    const found = sketch.find(row, exactly)
    const sure = exactly ? found : sketch.find(row, true)
    for (const place of found) {
      if (place < last && !sure.includes(place)) continue
      if (!places.has(place)) places.set(place, i + 1)
      last = Math.max(last, place)
    }
  }
  return places
}

/** By number in one picture the number in the other. */
const numbers = (places: Int32Array, same: Int32Array, numberOf: Int32Array): number[] =>
  Array.from(places, (place) => (same[place] === NONE ? NONE : numberOf[same[place]!]!))

/** The recorded run as it was, the failing one as its rows. */
function ofRun<S extends Sketch>(
  { observed: own, failing }: Drawable,
  { run, numberOf }: DrawnRun,
  sketch: S,
  lanes: Lanes<S>,
  strings: Strings,
): Picture {
  const drawn = drawRows(failing, (row) => lanes.ofRow(row), strings)
  const keys = Array.from(run.does, (_, number) => `${number}`)
  for (const row of own) {
    for (const [nth, access] of row.accesses.entries()) {
      const [place] = sketch.find({ ...row, accesses: [access] }, true)
      if (place !== undefined && numberOf[place] !== NONE) keys[numberOf[place]!] = keyOf(row, nth)
    }
  }
  const [same, back] = pairUp(keys, drawn.keys)
  return finish(lanes, strings, 'prediction', { observed: { ...run, same }, failing: { ...drawn.run, same: back } })
}

/** Both as rows: the recorded run has nothing of what they name. */
function ofRows<S>({ observed, failing }: Drawable, lanes: Lanes<S>, strings: Strings): Picture {
  const [left, right] = [observed, failing].map((rows) => drawRows(rows, (row) => lanes.ofRow(row), strings))
  const [same, back] = pairUp(left!.keys, right!.keys)
  return finish(lanes, strings, 'prediction', { observed: { ...left!.run, same }, failing: { ...right!.run, same: back } })
}

function finish<S>(
  lanes: Lanes<S>,
  strings: Strings,
  failingIs: Picture['failingIs'],
  { observed, failing }: { observed: PictureRun; failing: PictureRun },
): Picture {
  const { lanes: drawn, numbers: to } = lanes.finish()
  const renumbered = (run: PictureRun): PictureRun => ({
    ...run,
    blocks: run.blocks.map((block) => ({ ...block, lane: to[block.lane]! })),
    spans: run.spans.map((span) => ({ ...span, lane: to[span.lane]! })),
  })
  return { strings: strings.texts, lanes: drawn, observed: renumbered(observed), failing: renumbered(failing), failingIs }
}

/** The words of its threads that sentences say in their own way. */
function withVerbs(picture: Picture, threads: Joined | undefined): Picture {
  const used = [picture.observed, picture.failing].flatMap(({ does }) => does.map((index) => picture.strings[index] ?? ''))
  const verbs = Object.fromEntries(Object.entries(threads?.vocabulary.verbs ?? {}).filter(([word]) => used.includes(word)))
  return Object.keys(verbs).length === 0 ? picture : { ...picture, verbs }
}
