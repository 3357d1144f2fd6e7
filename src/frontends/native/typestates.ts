/** The machines that native programs are looked at for unless said otherwise: `library/native.prop`. */
import type { Typestate } from '../../property/ast.ts'
import { libraryFiles } from '../../property/library.ts'

export const nativeTypestates = (): readonly Typestate[] =>
  libraryFiles()
    .filter(({ name }) => name === 'native.prop')
    .flatMap(({ declarations }) => declarations)
    .filter((d) => d.kind === 'typestate')
