/** The state machines that native programs are checked for by default: `library/native.prop`. */
import type { Typestate } from '../../property/ast.ts'
import { declarationsIn } from '../../property/library.ts'

/** What `--only` calls them. */
const GROUPS: Readonly<Record<string, string>> = { Memory: 'memory', Descriptor: 'files', Stream: 'files', Lock: 'locks' }

/** `only`: those of these groups. */
export const nativeTypestates = (only?: readonly string[]): readonly Typestate[] =>
  declarationsIn('native.prop').filter(
    (d): d is Typestate => d.kind === 'typestate' && (only === undefined || only.includes(GROUPS[d.name]!)),
  )
