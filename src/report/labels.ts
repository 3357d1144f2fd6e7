/**
 * One name for each kind of candidate wherever people read it. `pattern` is the identifier of the predictor that made it: for threads and turns it is
 * already that name, for a trace alone it is the shape of the accesses. Also part of the HTML report, so it uses nothing of Node.
 */

const OF_PATTERN: Readonly<Record<string, string>> = {
  'R-W-R': 'stale read',
  'R-W-W': 'lost update',
  'W-W-R': 'overwritten',
  'W-R-W': 'dirty read',
  cycle: 'deadlock',
  overdue: 'use before initialisation',
  premature: 'read order',
}

/** Kinds whose patterns are names that users gave. */
const OF_KIND: Readonly<Record<string, string>> = {
  'data-race': 'data race',
  property: 'property',
  typestate: 'typestate',
  branch: 'branch',
}

export function labelOf(kind: string, pattern: string): string {
  if (Object.hasOwn(OF_KIND, kind)) return OF_KIND[kind]!
  if (Object.hasOwn(OF_PATTERN, pattern)) return OF_PATTERN[pattern]!
  return pattern === '' ? kind : pattern
}
