/** The property language for programs: text to declarations and back, and the same declarations made in TypeScript. */
export { parseProperties as parse } from './parse.ts'
export { format, formatText } from './format.ts'
export { PropertyError, type Fault } from './faults.ts'
export { libraryDeclarations } from './library.ts'
export { property, typestate, type Parameters, type PropertyParts, type TypestateParts } from './build.ts'
export { atOnce, both, either, never, optional, plus, sequence, star, type EventRef, type Part } from './build-patterns.ts'
export {
  acquire,
  after,
  all,
  alloc,
  answered,
  any,
  ANY,
  before,
  call,
  compare,
  emit,
  execution,
  free,
  get,
  literal,
  local,
  MORE,
  not,
  release,
  set,
  type ConditionOf,
  type EventOf,
} from './build-events.ts'
export type * from './ast.ts'
