/**
 * Schedule reconstruction: the proof of Wang & Hoang's Theorem 2 run as a program. Pick an open polyedge, take one of its edges, apply the
 * rules, repeat; no backtracking, so a cycle says nothing but that this attempt failed. Hinted polyedges come first and take the edge the
 * hint names (section 4.2). The paper picks the others arbitrarily; we take them from early to late in a preferred order, usually that
 * of the recorded run, and take the edge that agrees with it.
 */
import type { Side } from './polygraph.ts'
import type { Resolution } from './resolve.ts'

export interface Guide {
  hints?: ArrayLike<number> | undefined
  /** Per node, its place in the preferred order. */
  rank: ArrayLike<number>
  /** What to do after a pick beyond the rules; false when it finds a cycle. */
  strengthen?: (() => boolean) | undefined
}

/** True: every polyedge is resolved and there is no cycle. False: the attempt failed and `resolution` is as it was. */
export function reconstruct(resolution: Resolution, guide: Guide): boolean {
  const before = resolution.mark()
  for (const [poly, side] of picks(resolution, guide)) {
    if (!resolution.isOpen(poly)) continue
    if (resolution.choose(poly, side) && resolution.settle() && (guide.strengthen?.() ?? true)) continue
    resolution.undo(before)
    return false
  }
  return true
}

function picks(resolution: Resolution, { hints, rank }: Guide): [number, Side][] {
  const { poly } = resolution.polygraph
  const hintOf = (i: number): number => hints?.[i] ?? 0
  const open = resolution.open()
  const early = (i: number): number => Math.min(...poly[i]!.map((node) => rank[node]!))
  const agreeing = (i: number): Side => {
    const [a, b, c, d] = poly[i]!
    return rank[a]! < rank[b]! || rank[c]! > rank[d]! ? 1 : 2
  }
  const hinted = open.filter((i) => hintOf(i) !== 0).map((i): [number, Side] => [i, hintOf(i) === 1 ? 1 : 2])
  const others = open.filter((i) => hintOf(i) === 0).sort((i, j) => early(i) - early(j))
  return [...hinted, ...others.map((i): [number, Side] => [i, agreeing(i)])]
}
