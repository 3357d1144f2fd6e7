/**
 * One real finding of every front end and of the main kinds, as the terminal and a comment on GitHub show it. The documents of the folder `front-ends` are what
 * `heddle check --json` gave of the examples and of test programs, with that finding alone and without its picture.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { terminalLines } from '../../src/report/document-finding.ts'
import type { CheckDocument } from '../../src/report/document.ts'
import { MOST_LINES } from '../../src/report/finding-text.ts'
import { markdownReport } from '../../src/report/markdown.ts'
import { golden } from '../cli/run.ts'

const FOLDER = join(import.meta.dirname, 'front-ends')
const DOCUMENTS = readdirSync(FOLDER).map(
  (file) => [basename(file, '.json'), JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as CheckDocument] as const,
)

test.each(DOCUMENTS)('%s: the terminal tells the story in twenty lines', (name, document) => {
  const lines = terminalLines(document, document.findings[0]!, 100)
  expect(lines.length).toBeLessThanOrEqual(MOST_LINES)
  golden(`front-end-${name}.txt`, `${lines.join('\n')}\n`)
})

test.each(DOCUMENTS)('%s: Markdown has the same sentence', (_, document) => {
  const text = [...markdownReport(document)].join('')
  const [, sentence] = terminalLines(document, document.findings[0]!, 400)
  // What GitHub would take for a reference is taken apart there.
  expect(text.replaceAll(/\\|\u200b/g, '')).toContain(sentence!.trim())
})
