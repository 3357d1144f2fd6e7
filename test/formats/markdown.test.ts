import { expect, test } from 'vitest'
import { MARK, markdownReport, MOST_CHARACTERS } from '../../src/report/markdown.ts'
import { block, cellCode, code, plain } from '../../src/report/markdown-text.ts'
import { golden } from '../cli/run.ts'
import { documentWith, everyFinding, evilDocument, EVIL, findingWith } from './findings.ts'

const markdown = (document: Parameters<typeof markdownReport>[0]): string => [...markdownReport(document)].join('')

test('two failures and one that did not fail, whole', () => {
  const findings = [findingWith('property', 'FAILED'), findingWith('deadlock', 'FAILED'), findingWith('branch', 'REPRODUCED')]
  golden('report.md', markdown(documentWith(findings)))
})

test('nothing found, a program that varies, an interruption', () => {
  expect(markdown(documentWith([]))).toMatch(/^<!-- heddle -->\n### Heddle: no failure was found\n\n`node shop\.js`\. Looked at: 214 turns/)
  const text = markdown(documentWith([], { varies: ['exit code 1'], complete: false }))
  expect(text).toContain('nothing could be confirmed, because runs without any delay differ (interrupted')
  expect(text).toContain('exit code 1')
})

test('strings of programs do nothing', () => {
  expect(plain('a *b* [c](d) <i> @e #1 http://f www.g | `h` $x$ {0}')).toBe(
    'a \\*b\\* \\[c\\](d) &lt;i&gt; @\u200be #\u200b1 http:\u200b//f www\u200b.g \\| \\`h\\` \\$x\\$ {0}',
  )
  expect(plain('# h')).toBe('\u200b# h')
  expect(plain('1. x')).toBe('\u200b1. x')
  expect(code('a `` b')).toBe('```a `` b```')
  expect(code('`')).toBe('`` ` ``')
  expect(cellCode('a|b')).toBe('`a\\|b`')
  expect(block(['````'])).toBe('`````text\n````\n`````')
  // What is left outside of code: only our own tags, nobody mentioned, no links.
  const text = markdown(evilDocument())
  const outside = text
    .replaceAll(/^(`{3,})text\n[^]*?\n\1$/gm, '')
    .replaceAll(/<code>[^<]*<\/code>/g, '')
    .replaceAll(/(?<!\\)(`+)(?!`)[^]*?(?<![`])\1(?!`)/g, '')
  const tags = new Set(outside.replace(MARK, '').match(/<[^>]*>/g))
  expect([...tags].sort()).toEqual(['</details>', '</summary>', '<details>', '<summary>'])
  expect(outside).not.toMatch(/@(?!\u200b)|#\d|:\/\/|(?<!\\)[[\]]/)
  expect(text.match(/<details>/g)!.length).toBe(text.match(/<\/details>\n/g)!.length)
  // eslint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
})

test('short enough for a comment, and says what is left out', () => {
  const many = Array.from({ length: 20 }, everyFinding).flat()
  for (const document of [documentWith(many), { ...evilDocument(), notes: Array<string>(50).fill(EVIL.repeat(50)) }]) {
    const text = markdown(document)
    expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS)
    expect(text.length).toBeGreaterThan(MOST_CHARACTERS / 4)
  }
  expect(markdown(documentWith(many))).toMatch(/\d+ of 840 findings are left out here/)
})
