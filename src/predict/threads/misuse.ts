/**
 * Words for typestates of threads: an operation that finds its object in a state that does not permit it. Those of library/native.prop have the names
 * that the runtime uses (docs/native.md); others have the name of their machine.
 */
import type { Asked } from '../propose/asked.ts'
import type { ThreadProposal } from './propose.ts'

interface Operation {
  readonly verb: string
  readonly done: string
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  open: { verb: 'open', done: 'opened' },
  close: { verb: 'close', done: 'closed' },
  read: { verb: 'read', done: 'read' },
  write: { verb: 'write', done: 'written' },
  use: { verb: 'use', done: 'used' },
  free: { verb: 'free', done: 'freed' },
  init: { verb: 'initialise', done: 'initialised' },
  lock: { verb: 'lock', done: 'locked' },
  unlock: { verb: 'unlock', done: 'unlocked' },
  destroy: { verb: 'destroy', done: 'destroyed' },
}

export const operationOf = (name: string): Operation =>
  Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name]! : { verb: `do ${name} with`, done: `done ${name} with` }

/** (a) The state has been left, or (b) it has not been reached. */
export const comesTooLate = ({ match }: Pick<ThreadProposal, 'match'>): boolean => (match?.guards.length ?? 0) === 0

/** The operation that is refused: in (a) the second of the two that are named, in (b) the first. */
export function refusedOf({ names }: Asked, late: boolean): { readonly refused: string; readonly other: string } {
  const [first = '', second = ''] = names
  return late ? { refused: second, other: first } : { refused: first, other: second }
}

const SAYS: Readonly<Record<string, (refused: string, state: string) => string>> = {
  Memory: (refused) => (refused === 'free' ? 'double free' : 'use after free'),
  Descriptor: (refused) => (refused === 'close' ? 'double close' : 'use of a closed descriptor'),
  Stream: (refused) => (refused === 'close' ? 'double close' : 'use of a closed stream'),
  Lock: (refused, state) => {
    if (refused === 'destroy' && state === 'HELD') return 'destroy of a held lock'
    return state === 'NEW' ? 'use before initialisation' : 'use of a destroyed lock'
  },
}

/** `use after free`: what kind of mistake it is. */
export function misuseOf(candidate: ThreadProposal): string {
  const { pattern, property } = candidate
  if (!property || !Object.hasOwn(SAYS, pattern)) return pattern
  return SAYS[pattern]!(refusedOf(property, comesTooLate(candidate)).refused, property.state ?? '')
}
