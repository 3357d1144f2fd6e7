/**
 * What `solve` knows of the world: nodes on chains (one after the other, in order) and a base order between them that always holds. Nodes are
 * numbers; the caller knows what they stand for.
 */
export interface BaseOrder {
  readonly chainCount: number
  chainOf(node: number): number
  /** Place on its chain, from 0. */
  positionOf(node: number): number
  /** Raises clock[c] to the number of nodes of chain c that come before `node` in the base order, the node itself included. */
  joinPast(node: number, clock: Int32Array): void
}
