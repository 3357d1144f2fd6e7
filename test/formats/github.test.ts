import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { annotationsFor } from '../../src/cli/annotations.ts'
import { Output } from '../../src/cli/output.ts'
import { githubAnnotations } from '../../src/report/github.ts'
import { MARK } from '../../src/report/markdown.ts'
import { documentWith, everyFinding, evilDocument, findingWith } from './findings.ts'

/** Annotations are read back as the runner reads them: actions/runner, ActionCommand.TryParseV2. */
function parsed(text: string) {
  expect(text.endsWith('\n')).toBe(true)
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const [, level, properties, data] = /^::(\w+)(?: (.*?))?::(.*)$/.exec(line)!
      const un = (value: string): string =>
        value.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%')
      const pairs = properties!.split(',').map((pair) => pair.split('=', 2).map(un) as [string, string])
      return { level, message: un(data!), ...Object.fromEntries(pairs) } as Record<string, string>
    })
}

test('failures are errors, reproduced orders warnings, the others are not shown', () => {
  const lines = parsed([...githubAnnotations(documentWith(everyFinding()))].join(''))
  expect(lines.map((line) => line['level'])).toEqual([...Array<string>(7).fill('error'), ...Array<string>(7).fill('warning')])
  expect(lines[1]).toEqual({
    level: 'error',
    file: 'locks.mjs',
    line: '9',
    endLine: '9',
    col: '3',
    title: 'Heddle: deadlock on lock a, lock b',
    message:
      'Worker 1 waits for lock b (locks.mjs:9), which worker 2 holds; worker 2 waits for lock a (locks.mjs:19), which worker 1 holds.\n' +
      '① locks.mjs:19 takes lock a (recorded 2nd)\n② locks.mjs:9 takes lock b (recorded 1st)\n' +
      'The program never ends: worker 1 waits for lock b.\nFAILED in 3 of 3 replays. Replay it: heddle replay 03adbeef',
  })
})

test('files are named from the workspace, and not at all outside it', () => {
  const document = documentWith([findingWith('atomicity', 'FAILED')])
  expect(parsed([...githubAnnotations(document, '/home/you')].join(''))[0]!['file']).toBe('shop/shop.js')
  expect(parsed([...githubAnnotations(document, '/elsewhere')].join(''))[0]).not.toHaveProperty('file')
})

test('ten of each, and a line for the rest', () => {
  const many = Array.from({ length: 4 }, everyFinding).flat()
  const lines = parsed([...githubAnnotations(documentWith(many))].join(''))
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toMatchObject({ level: 'notice', message: expect.stringContaining('36 more findings') })
})

test('hostile names stay inside their command', () => {
  const text = [...githubAnnotations(evilDocument())].join('')
  // eslint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|##\w*\[/)
  for (const line of parsed(text)) {
    expect(['error', 'warning']).toContain(line['level'])
    expect(Object.keys(line).every((name) => ['level', 'message', 'file', 'line', 'endLine', 'col', 'title'].includes(name))).toBe(true)
  }
})

test('what Heddle prints is no command unless it is meant as one', async () => {
  const said: string[] = []
  const stream = { on: () => {}, write: (text: string, done: () => void) => (said.push(text), done()) }
  const out = new Output(stream as never)
  await out.write('  ::add-mask::x\nfine :: here\n')
  await out.commands('::notice::y\n')
  await out.flush()
  expect(said.join('')).toBe('  ∷add-mask::x\nfine :: here\n::notice::y\n')
})

test('on by itself in Actions, with a summary that is added to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-actions-'))
  try {
    const document = documentWith([findingWith('atomicity', 'FAILED')])
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: document.root, GITHUB_STEP_SUMMARY: join(folder, 'summary') }
    expect([...annotationsFor(document, 'auto', {})]).toEqual([])
    expect([...annotationsFor(document, 'off', env)]).toEqual([])
    expect([...annotationsFor(document, 'on', {})]).toHaveLength(1)
    expect([...annotationsFor(document, 'auto', env), ...annotationsFor(document, 'auto', env)]).toHaveLength(2)
    expect(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8').split(MARK)).toHaveLength(3)
    expect([...annotationsFor(document, 'auto', { ...env, GITHUB_STEP_SUMMARY: folder })].at(-1)).toContain('EISDIR')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
