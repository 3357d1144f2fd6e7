/** What docs say is what the command does. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reference } from '../../src/options/help.ts'
import { sized } from '../layer.ts'
import { heddleIn, ROOT } from './run.ts'
import { follow, read, snippets, steady, withExamples } from './snippets.ts'

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
