/** `npx tsx test/explore/depth-table.ts [node|workers|c|java …] [program …]`: each program with --depth 1, with exploration, and its right version. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cannot, checkDeep, DEEP, deepPrograms, KINDS, type Kind, type Version } from './deep-programs.ts'

const isKind = (word: string): word is Kind => KINDS.some((kind) => kind === word)
const words = process.argv.slice(2)
const kinds = words.filter(isKind)
const names = words.filter((word) => !isKind(word))
const cwd = mkdtempSync(join(tmpdir(), 'heddle-depth-'))
try {
  console.log('| kind | program | --depth 1 | explored | classes | runs | depth | right version |\n|---|---|---|---|---|---|---|---|')
  for (const kind of kinds.length > 0 ? kinds : KINDS) {
    if (cannot[kind] !== '') continue
    for (const { name, file } of deepPrograms(kind)) {
      if (names.length > 0 && !names.includes(name)) continue
      const look = (version: Version, options: readonly string[]) =>
        checkDeep(kind, file, version, options, cwd).then(
          ({ failed, json }) => ({
            said: failed.length > 0 ? 'FAILED' : '-',
            facts: json.coverage.find((row) => row.predictor === 'exploration')?.facts ?? {},
          }),
          () => ({ said: 'no passing run', facts: {} as Readonly<Record<string, number>> }),
        )
      const shallow = await look('wrong', ['--depth', '1'])
      const { said, facts } = await look('wrong', DEEP[kind])
      const right = await look('right', DEEP[kind])
      console.log(
        `| ${kind} | ${name} | ${shallow.said} | ${said} | ${facts['classes'] ?? ''} | ${facts['runs'] ?? ''} | ${facts['depth'] ?? ''} | ${right.said} |`,
      )
    }
  }
} finally {
  rmSync(cwd, { recursive: true, force: true })
}
