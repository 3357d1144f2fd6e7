/** Programs in both polarities: each file of `wrong` has a right version of the same name. The first line of a wrong one says what is expected. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Declaration } from '../../../src/property/ast.ts'
import { parseProperties } from '../../../src/property/parse.ts'

const FOLDER = join(import.meta.dirname, 'programs')

export interface LitmusFile {
  readonly name: string
  readonly path: string
  readonly text: string
  /** Kind and pattern of a finding that has to fail. */
  readonly expects: { readonly kind: string; readonly pattern: string } | undefined
  /** `NAME.prop` beside the two folders. */
  readonly properties: readonly Declaration[]
}

export function programsOf(polarity: 'wrong' | 'right'): LitmusFile[] {
  return readdirSync(join(FOLDER, polarity))
    .sort()
    .map((file) => {
      const name = file.replace(/\.litmus$/, '')
      const path = join(FOLDER, polarity, file)
      const text = readFileSync(path, 'utf8')
      const expects = /^# expects (\S+) (.+)/.exec(text)
      return {
        name,
        path,
        text,
        expects: expects ? { kind: expects[1]!, pattern: expects[2]! } : undefined,
        properties: propertiesOf(name),
      }
    })
}

function propertiesOf(name: string): readonly Declaration[] {
  const path = join(FOLDER, `${name}.prop`)
  return existsSync(path) ? parseProperties(readFileSync(path, 'utf8'), path).declarations : []
}
