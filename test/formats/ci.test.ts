/** The recipes of docs/ci.md: every command in them is one that Heddle knows, and the one for a shell runs. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/options/table.ts'
import { parse } from '../../src/options/parse.ts'
import { reportOf } from '../../src/report/write.ts'
import { BIN, ROOT, scratch } from '../cli/run.ts'

const text = readFileSync(join(ROOT, 'docs/ci.md'), 'utf8')
const blocks = (language: string): string[] => [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map((m) => m[1]!)

test('every command is known, and every report it writes', () => {
  // `run:` of the action has what stands after `heddle` on a command line.
  const commands = [...blocks('yaml'), ...blocks('sh')].flatMap((block) =>
    [...block.matchAll(/(?:npx heddle|^ +run:) ((?:check|test|report) .*)/gm)].map((m) => m[1]!),
  )
  expect(commands).toHaveLength(4)
  for (const command of commands) {
    const [name, ...words] = command.replaceAll(/\$\{\{.*?\}\}/g, 'main').split(' ')
    const args = parse(
      COMMANDS.find((c) => c.name === name)!,
      words,
    )
    if (args === 'help') throw new Error(command)
    for (const file of args.list(name === 'report' ? 'to' : 'report')) reportOf(file)
  }
})

test('reports that are uploaded are written before', () => {
  for (const block of blocks('yaml'))
    for (const [, name] of block.matchAll(/(?:sarif_file|junit|path|body-file)[: ]+(heddle\.\w+)/g))
      expect(block).toMatch(new RegExp(`npx heddle .*--(report|to) ${name}`))
})

test('the shell recipe runs', () => {
  const folder = scratch()
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true })
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${BIN}" "$@"\n`, { mode: 0o755 })
  const [script] = blocks('sh')
  const env = { ...process.env, FORCE_COLOR: undefined, GITHUB_ACTIONS: undefined, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
  const { stdout } = spawnSync('sh', ['-c', script!], { cwd: folder, env, encoding: 'utf8' })
  // On a busy machine the program may fail by itself, and then nothing is called FAILED.
  expect(stdout).toMatch(/ confirmed[^]*\nWrote heddle\.xml, heddle\.json\.\n(something failed; see heddle\.xml|nothing failed)\n$/)
  expect(stdout.includes('One failure confirmed')).toBe(stdout.includes('something failed'))
  expect(existsSync(join(folder, 'heddle.xml'))).toBe(true)
})
