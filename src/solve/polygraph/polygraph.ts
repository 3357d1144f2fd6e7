/**
 * The problem Wang & Hoang decide ("Precisely Deciding Control State Reachability in Concurrent Traces with Limited Observability",
 * section 3.1): nodes in chains, edges that hold, and polyedges, of each of which one edge must hold. Is there a linear order of all
 * nodes that keeps them all? Here are the type, the reader of untrusted input, and the check of an answer; the check shares no code with
 * the solver.
 */
import { chainsOf } from './chains.ts'

export interface Polygraph {
  /** Nodes are 0 … n-1. */
  n: number
  /** The successor of each node in its chain (program order), -1 at the end. */
  next: Int32Array | readonly number[]
  /** [a, b]: a before b. */
  hard: readonly (readonly [number, number])[]
  /** [a, b, c, d]: a before b, or c before d. */
  poly: readonly (readonly [number, number, number, number])[]
  /** Per polyedge: 0 nothing, 1 try its first edge first, 2 its second (section 4.2: what causally-precedes says). */
  hints?: Int32Array | readonly number[]
}

/** The edge of a polyedge: 1 is a→b, 2 is c→d. */
export type Side = 1 | 2

/** A malformed polygraph: what is wrong, and where in the JSON, as in `poly[3][1]`. */
export interface PolygraphFault {
  fault: string
  at: string
}

export function parsePolygraph(json: string): Polygraph | PolygraphFault {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    return { fault: `not JSON: ${error instanceof Error ? error.message : 'unreadable'}`, at: '' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fault: 'not an object', at: '' }
  const fields = value as Record<string, unknown>
  const n = fields['n']
  if (typeof n !== 'number' || !Number.isInteger(n) || n < 0) return { fault: 'not a count of nodes', at: 'n' }
  const fault =
    faultOfList(fields['next'], 'next', -1, n) ??
    faultOfTuples(fields['hard'], 'hard', 2, n) ??
    faultOfTuples(fields['poly'], 'poly', 4, n) ??
    (fields['hints'] === undefined ? undefined : faultOfList(fields['hints'], 'hints', 0, 3))
  if (fault) return fault
  const polygraph = { n, next: fields['next'], hard: fields['hard'], poly: fields['poly'] } as Polygraph
  if (polygraph.next.length !== n) return { fault: `${polygraph.next.length} entries for ${n} nodes`, at: 'next' }
  const chains = chainsOf(polygraph)
  if ('node' in chains) return { fault: chains.fault, at: `next[${chains.node}]` }
  if (fields['hints'] === undefined) return polygraph
  const hints = Int32Array.from(fields['hints'] as number[])
  if (hints.length !== polygraph.poly.length) return { fault: `${hints.length} hints for ${polygraph.poly.length} polyedges`, at: 'hints' }
  return { ...polygraph, hints }
}

/** Every entry is a whole number from `least` to below `end`. */
function faultOfList(list: unknown, at: string, least: number, end: number): PolygraphFault | undefined {
  if (!Array.isArray(list)) return { fault: 'not a list', at }
  const bad = list.findIndex((entry) => !Number.isInteger(entry) || entry < least || entry >= end)
  return bad < 0 ? undefined : { fault: `not a whole number from ${least} to ${end - 1}`, at: `${at}[${bad}]` }
}

function faultOfTuples(list: unknown, at: string, width: number, n: number): PolygraphFault | undefined {
  if (!Array.isArray(list)) return { fault: 'not a list', at }
  for (const [i, tuple] of list.entries()) {
    const fault = faultOfList(tuple, `${at}[${i}]`, 0, n)
    if (fault) return fault
    if ((tuple as unknown[]).length !== width) return { fault: `not ${width} nodes`, at: `${at}[${i}]` }
  }
  return undefined
}

/** What `order` breaks, in a sentence; undefined when it holds every node once and keeps every edge and one edge of every polyedge. */
export function checkOrder(polygraph: Polygraph, order: ArrayLike<number>): string | undefined {
  const { n, next, hard, poly } = polygraph
  if (order.length !== n) return `${order.length} nodes in the order, ${n} in the polygraph`
  const place = new Int32Array(n).fill(-1)
  for (let i = 0; i < n; i++) {
    const node = order[i]!
    if (!(node >= 0 && node < n) || place[node] !== -1) return `node ${node} at ${i} is unknown or comes twice`
    place[node] = i
  }
  const before = (a: number, b: number): boolean => place[a]! < place[b]!
  for (let a = 0; a < n; a++) if (next[a]! >= 0 && !before(a, next[a]!)) return `program order: ${a} is not before ${next[a]}`
  for (const [a, b] of hard) if (!before(a, b)) return `edge: ${a} is not before ${b}`
  for (const [a, b, c, d] of poly) if (!before(a, b) && !before(c, d)) return `polyedge: neither ${a} before ${b} nor ${c} before ${d}`
  return undefined
}
