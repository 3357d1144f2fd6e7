/** Commands in documents, and what they print: run, and compared. */
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { heddleIn, ROOT, scratch } from './run.ts'

/** Pages with examples of threads: docs-threads.all.test.ts. */
export const WITH_THREADS = ['docs/native.md', 'docs/java.md', 'docs/workers.md']

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

export interface Snippet {
  readonly command: string
  readonly output: string
}

/** The ```console blocks: `$ command`, and what it prints. */
export function snippets(markdown: string): Snippet[] {
  return [...markdown.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block]) =>
    block!
      .split(/^\$ /m)
      .filter((part) => part !== '')
      .map((part) => ({ command: part.slice(0, part.indexOf('\n')), output: part.slice(part.indexOf('\n') + 1) })),
  )
}

/** Without what differs from run to run or with every new property: temporary names, folders, seconds, numbers of objects. */
export const steady = (text: string): string =>
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
export function follow(folder: string, { command, output }: Snippet, plain: (text: string) => string = steady): void {
  const words = /^(?:npm ci && )?npx heddle (.*)$/.exec(command)
  expect(words, 'a command this test can run').not.toBeNull()
  const said = plain(heddleIn(folder, ...words![1]!.split(' ')).out)
  // A line with nothing but … stands for any lines.
  const [first, ...others] = plain(output).split(/^…\n/m)
  if (others.length === 0) expect(said).toBe(first)
  else for (const part of [first!, ...others]) expect(said).toContain(part)
}

export function withExamples(): string {
  const folder = scratch()
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true })
  return folder
}
