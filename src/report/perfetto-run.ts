/** One order of a finding for a trace viewer: from its picture if there is one, else from the rows that the terminal shows. */
import type { OrderRow } from '../schedule/order.ts'
import type { Picture, PictureRun, StringIndex } from '../picture/picture.ts'
import type { FindingDocument } from './document.ts'

export interface ViewerEvent {
  readonly does: string
  readonly verb?: string | undefined
  readonly what: string
  readonly value: string
  readonly site: string
  /** One of those whose order is turned round. */
  readonly flipped: boolean
}

export interface ViewerBlock {
  readonly lane: number
  readonly name: string
  /** The number of its first event. */
  readonly from: number
  readonly events: readonly ViewerEvent[]
  /** Milliseconds since the start, as recorded. */
  readonly at: number
}

export interface ViewerRun {
  readonly lanes: readonly string[]
  readonly blocks: Iterable<ViewerBlock>
  readonly arrows: readonly { readonly kind: string; readonly from: number; readonly to: number; readonly why: string }[]
  readonly spans: readonly { readonly lane: number; readonly lock: string; readonly from: number; readonly to: number }[]
}

export function viewerRuns({ picture, observed, failing }: FindingDocument): readonly [ViewerRun, ViewerRun] {
  if (picture) return [fromPicture(picture, picture.observed), fromPicture(picture, picture.failing)]
  const lanes = new Map<string, string>()
  for (const { chain, name } of [...observed, ...failing]) if (!lanes.has(chain)) lanes.set(chain, name)
  const moved = movedOf(observed, failing)
  return [fromRows(observed, lanes, moved), fromRows(failing, lanes, moved)]
}

function fromPicture({ strings, lanes, verbs = {} }: Picture, run: PictureRun): ViewerRun {
  const text = (index: StringIndex | undefined): string => (index === undefined || index < 0 ? '' : (strings[index] ?? ''))
  const flipped = new Set(run.flipped)
  const eventAt = (i: number): ViewerEvent => ({
    does: text(run.does[i]),
    verb: Object.hasOwn(verbs, text(run.does[i])) ? verbs[text(run.does[i])] : undefined,
    what: text(run.what[i]),
    value: text(run.value[i]),
    site: text(run.site[i]),
    flipped: flipped.has(i),
  })
  return {
    lanes: lanes.map(({ name, from }) => (text(from) === '' ? text(name) : `${text(name)}, from ${text(from).split(' < ')[0]}`)),
    blocks: {
      *[Symbol.iterator]() {
        for (const { lane, name, from, to, at } of run.blocks)
          yield { lane, name: text(name), from, at, events: Array.from({ length: Math.max(0, to - from) }, (_, k) => eventAt(from + k)) }
      },
    },
    arrows: run.arrows.map(({ kind, from, to, why }) => ({ kind, from, to, why: text(why) })),
    spans: run.spans.map(({ lane, lock, from, to }) => ({ lane, lock: text(lock), from, to })),
  }
}

/** Letters tell lanes of the same name apart, as on the terminal. */
function fromRows(steps: readonly OrderRow[], lanes: ReadonlyMap<string, string>, moved: ReadonlySet<string>): ViewerRun {
  const numbers = new Map([...lanes.keys()].map((chain, i) => [chain, i]))
  let next = 0
  const blocks = steps.map((step): ViewerBlock => {
    const from = next
    next += step.accesses.length
    const events = step.accesses.map(({ access, verb, location, value, site }) => ({
      does: access,
      verb,
      what: location,
      value: value ?? '',
      site,
      flipped: moved.has(keyOf(step)),
    }))
    return { lane: numbers.get(step.chain)!, name: step.name, from, events, at: step.at }
  })
  return { lanes: [...lanes.values()].map((name, i) => `${String.fromCharCode(65 + (i % 26))} ${name}`), blocks, arrows: [], spans: [] }
}

const keyOf = ({ turn }: OrderRow): string => `${turn.label} ${turn.nth}`

/** Steps that stand at another place of the failing order. */
function movedOf(observed: readonly OrderRow[], failing: readonly OrderRow[]): ReadonlySet<string> {
  return new Set(failing.filter((step, i) => observed[i] === undefined || keyOf(observed[i]) !== keyOf(step)).map(keyOf))
}
