/**
 * Names for patterns at rows and keys, where more is known than which access comes between which: two equal requests that each create something
 * (double submit), several that each compute what is missing (stampede), a loop over data that changes meanwhile (dirty iteration), a read that
 * misses a write of its own flow (read-your-writes).
 */
import type { LoopView } from '../../causal/loop/turns.ts'
import { NONE } from '../../trace/trace.ts'
import type { LoopPattern } from './prediction.ts'

/** `u`, `v` and `third` are accesses of one location outside the program; the flip puts v before u. */
export function serverPattern(view: LoopView, pattern: LoopPattern, u: number, v: number, third: number): LoopPattern {
  const { site, chain, write } = view.accesses
  const isSameSite = (a: number, b: number): boolean => site[a] !== NONE && site[a] === site[b]
  if (pattern === 'check-then-act' && third !== NONE) {
    // The two looks: of them one is the third access or both are.
    const looks = [u, v, third].filter((a) => write[a] === 0)
    const request = requestOf(view, chain[u]!)
    if (looks.length < 2 || !isSameSite(looks[0]!, looks[1]!) || request === '' || request !== requestOf(view, chain[v]!)) return pattern
    return /^(GET|HEAD) /.test(request) ? 'stampede' : 'double submit'
  }
  if (pattern === 'stale read' && third !== NONE) {
    const reads = [u, v, third].filter((a) => write[a] === 0)
    return reads.length === 2 && isSameSite(reads[0]!, reads[1]!) ? 'dirty iteration' : pattern
  }
  if (pattern === 'use before initialisation' && isOneFlow(view, chain[u]!, chain[v]!)) return 'read-your-writes'
  return pattern
}

/** `POST /orders`, of the request that the program serves there; empty where it serves none. */
function requestOf(view: LoopView, chain: number): string {
  const named = view.namedChain(chain)
  return named === NONE ? '' : view.queueOf(named).replace(/^async /, '')
}

/** Do both belong to what the program does for one request, or does one chain begin the other? */
function isOneFlow(view: LoopView, a: number, b: number): boolean {
  if (a === NONE || b === NONE) return false
  const [one, other] = [view.namedChain(a), view.namedChain(b)]
  return one === NONE ? a === b || view.chains.holds(a, b) : one === other
}
