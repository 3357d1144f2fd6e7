/** What docs say is what the command does. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reference } from '../../src/options/help.ts'
import { sized } from '../layer.ts'
import { heddleIn, ROOT, scratch } from './run.ts'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

test('docs/cli.md is made from the table of options', () => {
  if (process.env['UPDATE'] === '1') writeFileSync(join(ROOT, 'docs/cli.md'), reference())
  expect(read('docs/cli.md')).toBe(reference())
})

interface Snippet {
  readonly command: string
  readonly output: string
}

/** The ```console blocks: `$ command`, and what it prints. */
function snippets(markdown: string): Snippet[] {
  return [...markdown.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block]) =>
    block!
      .split(/^\$ /m)
      .filter((part) => part !== '')
      .map((part) => ({ command: part.slice(0, part.indexOf('\n')), output: part.slice(part.indexOf('\n') + 1) })),
  )
}

/** Without what differs from run to run or with every new property: temporary names, folders, seconds, numbers of objects. */
const steady = (text: string): string =>
  text
    .replaceAll(/tickets-\w{6}/g, 'tickets-XXXXXX')
    .replaceAll(/file:\/\/\S*\/examples/g, 'file:///examples')
    .replaceAll(/in \d+(\.\d+)? s\./g, 'in N s.')
    .replaceAll(/\d+ ms late/g, 'N ms late')
    // On a busy machine the first run may fail by itself.
    .replace(/Note: A first attempt was thrown away[^]*?\)\.\n/, '')
    .replaceAll(/#\d+/g, '#N')
    .replaceAll(/\d+ properties/g, 'N properties')

/** Runs a command of a document in a folder with the examples, and compares. */
function follow(folder: string, { command, output }: Snippet): void {
  const words = /^(?:npm ci && )?npx heddle (.*)$/.exec(command)
  expect(words, 'a command this test can run').not.toBeNull()
  const said = steady(heddleIn(folder, ...words![1]!.split(' ')).out)
  // A line with nothing but … stands for any lines.
  const [first, ...others] = steady(output).split(/^…\n/m)
  if (others.length === 0) expect(said).toBe(first)
  else for (const part of [first!, ...others]) expect(said).toContain(part)
}

function withExamples(): string {
  const folder = scratch()
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true })
  return folder
}

// A fresh folder each: what an earlier check left in .heddle/ would be replayed first.
const ALONE = ['README.md', 'docs/properties.md', 'docs/branches.md', 'docs/traces.md']
test.each(ALONE.flatMap((page) => snippets(read(page)).map((snippet) => ({ page, ...snippet }))))('$page: $command', (snippet) =>
  follow(withExamples(), snippet),
)

// In these one command goes on from the one before.
test.each(sized(['docs/getting-started.md'], ['docs/getting-started.md', 'docs/reading-a-finding.md', 'docs/formats.md']))('%s', (path) => {
  const folder = withExamples()
  const all = snippets(read(path))
  expect(all.length).toBeGreaterThan(0)
  for (const snippet of all) follow(folder, snippet)
})

test('.ci/run runs what the README calls the test command', () => {
  const command = 'npm ci && npm test'
  expect(read('README.md')).toContain(command)
  expect(read('.ci/run').trimEnd().split('\n').at(-1)).toBe(command)
})
