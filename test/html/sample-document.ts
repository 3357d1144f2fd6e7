/** Documents that no program was run for: any number of findings, pictures of any size, names of any malice. Seeded. */
import { Random } from '../../src/base/random.ts'
import type { CheckDocument, FindingDocument } from '../../src/report/document.ts'
import type { Picture, PictureArrow, PictureBlock, PictureRun, PictureSpan } from '../../src/picture/picture.ts'

const STATUSES = ['FAILED', 'REPRODUCED', 'PREDICTED', 'DIVERGED', 'NOT REACHED', 'TIMED OUT'] as const
const KINDS = ['atomicity', 'order-violation', 'data-race', 'deadlock', 'property'] as const

export interface SampleOptions {
  readonly findings: number
  /** Events in the picture of every finding; 0: none. */
  readonly events?: number
  readonly lanes?: number
  readonly seed?: number
  /** Put into every name. */
  readonly evil?: string
}

export function sampleDocument({ findings, events = 0, lanes = 4, seed = 1, evil = '' }: SampleOptions): CheckDocument {
  const random = new Random(seed)
  const file = (i: number): string => `src${evil}/${['cache', 'orders', 'stock', 'mail'][i % 4]}.js`
  return {
    heddle: '0.1.0',
    schema: 3,
    complete: true,
    command: ['node', `app${evil}.js`],
    root: '/home/you/app',
    started: '2026-11-16T12:00:00.000Z',
    findings: Array.from({ length: findings }, (_, i) => sampleFinding(i, random, file(i), events, lanes, evil)),
    recorded: {
      trace: '/home/you/app/.heddle/runs/1/trace.heddle',
      runtime: 'node v22.0.0',
      milliseconds: 420,
      stopped: false,
      events: 1234,
      modules: 4,
      skipped: [{ file: `vendor${evil}.js`, why: `too large${evil}` }],
      timers: 'due',
    },
    coverage: [
      {
        predictor: 'turns',
        facts: { turns: 12, accesses: 40 },
        causes: 3,
        candidates: 3,
        feasible: {},
        infeasible: { 'must-order': 3 },
        unknown: {},
        grouped: 0,
        notLookedAt: {},
        atLeast: false,
      },
    ],
    replays: 12,
    notReplayed: 1,
    budgets: { time: 60, replays: 100, maxFindings: 20, confirm: 3 },
    plain: { runs: 2, failed: 0 },
    varies: [],
    notes: [`A note${evil}.`],
    seconds: 3.21,
    sources: Object.fromEntries(
      [0, 1, 2, 3].map((i) => [
        file(i),
        [{ from: 1, lines: Array.from({ length: 60 }, (__, l) => `const line${l + 1} = left.count${evil} - 1`) }],
      ]),
    ),
    lookedAt: `Looked at: 12 turns, 40 accesses in 4 modules${evil}.`,
  }
}

function sampleFinding(i: number, random: Random, file: string, events: number, lanes: number, evil: string): FindingDocument {
  const status = i === 0 ? 'FAILED' : STATUSES[random.below(STATUSES.length)]!
  const kind = KINDS[i % KINDS.length]!
  const line = 1 + random.below(50)
  const site = `${file}:${line}:7 take${evil}`
  const step = (chain: string, access: string, value: string) => ({
    turn: { label: chain, nth: 1 },
    name: `fs.readFile${evil}`,
    chain,
    offLoop: false,
    posted: site,
    at: 1,
    accesses: [{ access, location: `left.count${evil}`, value, site }],
  })
  const id = (0x10000000 + i * 7919).toString(16)
  return {
    status,
    kind,
    pattern: kind === 'property' ? 'CheckThenAct' : 'stale read',
    label: kind === 'property' ? 'property' : 'stale read',
    summary: `take number ${i} can see left.count${evil} before it is written (${file}:${line}).`,
    sites: [site],
    locations: [`left.count${evil}`],
    fingerprint: `${id}${id}`,
    replays: { runs: status === 'PREDICTED' ? 0 : 3, failures: status === 'FAILED' ? 3 : 0 },
    ...(status === 'FAILED'
      ? {
          failure: {
            how: 'rejection',
            message: `Error: ${i} taken${evil}`,
            detail: [`at take${evil} (${file}:${line}:7)`],
            shape: `rejection ${i}`,
          },
          ordered: true,
        }
      : {}),
    earlier: false,
    count: 1,
    schedule: {
      heddle: 2,
      command: ['node', 'app.js'],
      timers: 'due',
      kind: 'delays',
      delays: [{ do: 'hold', what: { label: 'a', nth: 1 }, at: 'start', until: { label: 'b', nth: 1 }, note: `fs.writeFile${evil}` }],
      horizon: 0,
      // oxlint-disable-next-line unicorn/no-thenable -- a name, not a method
      expect: { first: { label: 'b', nth: 1 }, then: { label: 'a', nth: 1 } },
    },
    observed: [step('a', 'write', '0'), step('b', 'read', '0')],
    failing: [step('b', 'read', '1'), step('a', 'write', '0')],
    why: [`Nothing makes fs.readFile${evil} wait for fs.writeFile.`],
    ...(events > 0 ? { picture: samplePicture(events, lanes, random, file, evil) } : {}),
  } as FindingDocument
}

/** Turns of a few events on lanes at random, each posted by an earlier one. The failing run has the two turns in the middle swapped. */
export function samplePicture(size: number, lanes: number, random: Random, file = 'app.js', evil = ''): Picture {
  const strings: string[] = []
  const indices = new Map<string, number>()
  const text = (s: string): number => {
    const known = indices.get(s) ?? strings.push(s) - 1
    indices.set(s, known)
    return known
  }
  const turns: { lane: number; from: number; to: number }[] = []
  for (let e = 0; e < size;) {
    const to = Math.min(size, e + 1 + random.below(5))
    turns.push({ lane: (turns.at(-1)?.lane ?? 0) === 0 && lanes > 1 ? 1 + random.below(lanes - 1) : random.below(lanes), from: e, to })
    e = to
  }
  const does = Array.from({ length: size }, () => ['read', 'write', 'post', 'call', 'update'][random.below(5)]!)
  const what = does.map((d) => (d === 'post' || d === 'call' ? `work${evil}` : `left[${random.below(6)}]${evil}`))
  const value = does.map((d) => (d === 'post' || d === 'call' ? undefined : String(random.below(100))))
  const site = does.map(() => `${file}:${1 + random.below(50)}:7 take${evil}`)
  const middle = Math.max(0, Math.floor(turns.length / 2) - 1)
  const swapped = turns.map((_, i) => (i === middle && turns[i + 1] ? i + 1 : i === middle + 1 ? middle : i))
  const flippedTurns = [middle, middle + 1].filter((t) => turns[t])
  const arrowsOf = turns.flatMap((turn, t) => (t < 2 || t === middle + 1 ? [] : [{ from: turns[t - 2]!.from, to: turn.from }]))
  const runOf = (order: readonly number[]): PictureRun => {
    const events = order.flatMap((t) => Array.from({ length: turns[t]!.to - turns[t]!.from }, (_, i) => turns[t]!.from + i))
    const place = new Map(events.map((e, i) => [e, i]))
    let at = 0
    const blocks = order.map((t): PictureBlock => {
      const { lane, from, to } = turns[t]!
      const block = { lane, name: text(`turn ${t}${evil}`), from: at, to: at + to - from, at }
      at = block.to
      return block
    })
    const arrows = arrowsOf.map(({ from, to }): PictureArrow => ({
      kind: 'post',
      from: place.get(from)!,
      to: place.get(to)!,
      why: text(`work${evil} comes before its callback, because it posts it.`),
    }))
    const spans: PictureSpan[] = blocks
      .filter((b) => b.to - b.from > 3)
      .map((b) => ({ lane: b.lane, lock: text(`mutex${evil}`), from: b.from, to: b.to - 1 }))
    return {
      blocks,
      does: events.map((e) => text(does[e]!)),
      what: events.map((e) => text(what[e]!)),
      value: events.map((e) => (value[e] === undefined ? -1 : text(value[e]))),
      site: events.map((e) => text(site[e]!)),
      same: [],
      arrows: arrows.filter((a) => a.from < a.to),
      spans,
      flipped: flippedTurns.map((t) => place.get(turns[t]!.from)!).sort((a, b) => a - b),
      cut: { before: 0, after: 3 },
    }
  }
  const identity = turns.map((_, i) => i)
  const [observed, failing] = [runOf(identity), runOf(swapped)]
  const placeIn = (order: readonly number[]): number[] => {
    const events = order.flatMap((t) => Array.from({ length: turns[t]!.to - turns[t]!.from }, (_, i) => turns[t]!.from + i))
    const place: number[] = []
    for (const [i, e] of events.entries()) place[e] = i
    return place
  }
  const there = placeIn(swapped)
  const back: number[] = []
  for (const [e, i] of there.entries()) back[i] = e
  return {
    strings,
    lanes: Array.from({ length: lanes }, (_, i) => ({
      name: text(`${i === 0 ? 'main' : `fs.readFile ${i}`}${evil}`),
      kind: 'chain' as const,
      from: text(`${file}:3:1 start${evil}`),
    })),
    observed: { ...observed, same: there },
    failing: { ...failing, same: back },
    failingIs: 'replay',
  }
}
