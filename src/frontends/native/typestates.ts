/** The machines that native programs are looked at for unless said otherwise: `library/native.prop`. */
import type { Typestate } from '../../property/ast.ts'
import { declarationsIn } from '../../property/library.ts'

export const nativeTypestates = (): readonly Typestate[] => declarationsIn('native.prop').filter((d) => d.kind === 'typestate')
