/** What a statement does, parsed once for each text. The parameters are filled in for each use (`fill.ts`). */
import type { Access, Isolation } from './reading.ts'
import type { Condition, Operand } from './condition.ts'

export interface TouchTemplate {
  readonly whole: string
  /** Comes after `whole`: `channel` and its name. */
  readonly name?: Operand
  readonly condition: Condition<string>
  readonly fields?: readonly string[]
  readonly access: Access
  readonly members?: boolean
  /** Columns of the table that the condition of a change looks at, those of its part among them. */
  readonly looks?: readonly string[]
  /** Columns over which there is one row at most. */
  readonly unique?: readonly (readonly string[])[]
  /** The part has all equalities, not those of the key alone: a row that is put has all of these values. */
  readonly full?: boolean
}

export interface LockTemplate {
  /** The rows of a touch, or a name that operands go into. */
  readonly of: TouchTemplate | string
  readonly operands?: readonly Operand[]
  readonly until: 'transaction' | 'release'
  readonly tries?: boolean
  readonly skips?: boolean
  readonly shared?: boolean
}

export interface Template {
  readonly touches: TouchTemplate[]
  readonly locks: LockTemplate[]
  readonly unlocks: LockTemplate[]
  transaction?: 'begin' | 'commit' | 'rollback' | undefined
  isolation?: Isolation | undefined
  session?: boolean
  understood: boolean
  /** EXECUTE: another statement with these operands. */
  execute?: { readonly name: string; readonly operands: readonly (Operand | undefined)[] }
}

export const emptyTemplate = (): Template => ({ touches: [], locks: [], unlocks: [], understood: true })
