/** What docs say is what the command does. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reference } from '../../src/options/help.ts'
import { sized } from '../layer.ts'
import { heddleIn, ROOT } from './run.ts'
import { follow, read, snippets, steady, withExamples, WITH_THREADS } from './snippets.ts'

test('docs/cli.md is made from the table of options', () => {
  if (process.env['UPDATE'] === '1') writeFileSync(join(ROOT, 'docs/cli.md'), reference())
  expect(read('docs/cli.md')).toBe(reference())
})

// A fresh folder each: what an earlier check left in .heddle/ would be replayed first.
const ALONE = ['README.md', 'docs/properties.md', 'docs/branches.md', 'docs/traces.md']
test.each(ALONE.flatMap((page) => snippets(read(page)).map((snippet) => ({ page, ...snippet }))))('$page: $command', (snippet) =>
  follow(withExamples(), snippet),
)

// In these one command goes on from the one before.
const IN_ORDER = ['docs/getting-started.md', 'docs/reading-a-finding.md', 'docs/formats.md']
test.each(sized(IN_ORDER.slice(0, 1), IN_ORDER))('%s', (path) => {
  const folder = withExamples()
  const all = snippets(read(path))
  expect(all.length).toBeGreaterThan(0)
  for (const snippet of all) follow(folder, snippet)
})

test('every page that shows what a command prints is run by a test', () => {
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'))
  const shown = ['README.md', ...pages.map((name) => `docs/${name}`)].filter((page) =>
    snippets(read(page)).some(({ output }) => output.trim() !== ''),
  )
  expect(shown.filter((page) => ![...ALONE, ...IN_ORDER, ...WITH_THREADS].includes(page))).toEqual([])
})

test('.ci/run runs what the README calls the test command', () => {
  const command = 'npm ci && npm test'
  expect(read('README.md')).toContain(command)
  expect(read('.ci/run').trimEnd().split('\n').at(-1)).toBe(command)
})

test('docs/images/check.svg shows what the command prints', () => {
  const texts = [...read('docs/images/check.svg').matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, inside]) =>
    inside!
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  )
  const [command, ...lines] = texts
  expect(command).toBe('$ npx heddle check -- node examples/tickets.js')
  const plain = (text: string): string =>
    steady(text)
      .replaceAll(/file:\S+/g, 'file:')
      .replaceAll(/\d+ replays \(/g, 'N replays (')
  expect(plain(heddleIn(withExamples(), 'check', '--', 'node', 'examples/tickets.js').out)).toBe(plain(`${lines.join('\n')}\n`))
})
