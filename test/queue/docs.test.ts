/** docs/scale.md: its files are YAML, and the commands in them are commands of this version. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { isAllowed, wordsOf } from '../../src/farm/allow.ts'
import { parse } from '../../src/options/parse.ts'
import { COMMANDS } from '../../src/options/table.ts'

const PAGE = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8')
const blocks = (kind: string): string[] => [...PAGE.matchAll(new RegExp(`\`\`\`${kind}\\n([^]*?)\`\`\``, 'g'))].map(([, text]) => text!)

/** Lists of words, and lines that somebody runs, anywhere in a file. */
function commandsIn(value: unknown): string[][] {
  if (typeof value === 'string') return value.startsWith('npx heddle ') ? [wordsOf(value.replaceAll(/\$\{\{.*?\}\}/g, '3')).slice(2)] : []
  if (Array.isArray(value)) return value[0] === 'npx' && value[1] === 'heddle' ? [value.slice(2) as string[]] : value.flatMap(commandsIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(commandsIn) : []
}

function parsed(words: readonly string[]): void {
  const command = COMMANDS.find(({ name }) => name === words[0])
  expect(command, words.join(' ')).toBeDefined()
  expect(parse(command!, words.slice(1))).not.toBe('help')
}

test('the compose file, the job and the workflow are YAML with commands that are understood', () => {
  const [compose, job, workflow, ...more] = blocks('yaml').map((text) => parseYaml(text) as Record<string, unknown>)
  expect(more).toEqual([])
  expect(Object.keys(compose!['services'] as object)).toEqual(['nats', 'worker'])
  expect(job).toMatchObject({ apiVersion: 'batch/v1', kind: 'Job' })
  expect(Object.keys(workflow!['jobs'] as object)).toEqual(['shard', 'merge'])
  const commands = [compose, job, workflow].flatMap(commandsIn)
  expect(commands.map(([name]) => name)).toEqual(['worker', 'worker', 'test', 'merge'])
  for (const words of commands) parsed(words)
})

test('so are the lines of the shell, and the pattern there allows the command there', () => {
  const lines = blocks('sh')
    .flatMap((text) => text.split('\n'))
    .map((line) => wordsOf(line.replace(/ # .*/, '')))
    .filter(([word]) => word === 'heddle')
  expect(lines.map(([, name]) => name)).toEqual(['worker', 'check'])
  for (const words of lines) parsed(words.slice(1))
  const [worker, check] = lines as [string[], string[]]
  expect(isAllowed(check.slice(check.indexOf('--') + 1), [worker.at(-1)!])).toBe(true)
})
