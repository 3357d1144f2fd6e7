/**
 * A finding as a regression test: it replays the schedule, fails while the bug is there, and passes when it is fixed. Also part of the HTML report,
 * so it uses nothing of Node.
 */
import type { Schedule } from '../schedule/schedule.ts'
import { printable } from './escape.ts'

export const TEST_RUNNERS = ['vitest', 'node', 'jest'] as const
export type TestRunner = (typeof TEST_RUNNERS)[number]

const IMPORT = "import assert from 'node:assert/strict'\nimport { spawnSync } from 'node:child_process'\n"
const IMPORTS: Readonly<Record<TestRunner, string>> = {
  vitest: `${IMPORT}import { test } from 'vitest'\n`,
  node: `${IMPORT}import { test } from 'node:test'\n`,
  // CommonJS, as Jest has it without options; `test` is there.
  jest: "const assert = require('node:assert/strict')\nconst { spawnSync } = require('node:child_process')\n",
}
const LIMIT_MS = 120_000

export interface Tested {
  readonly fingerprint: string
  readonly title: string
  readonly sentence: string
  readonly schedule: Schedule
}

export function asTest({ fingerprint, title, sentence, schedule }: Tested, runner: TestRunner): string {
  const file = `.heddle/schedules/${fingerprint.replaceAll(/[^0-9a-z]/gi, '')}.json`
  const words = ['heddle', 'replay', file, '--runs', '1', '--', ...schedule.command]
  const body = `  const replay = spawnSync('npx', ${literal(words)}, { encoding: 'utf8' })
  assert.equal(replay.status, 0, \`\${replay.stdout}\${replay.stderr}\`)
`
  const end = runner === 'node' ? '})' : `}, ${LIMIT_MS.toLocaleString('en').replaceAll(',', '_')})`
  return `${IMPORTS[runner]}
// ${comment(sentence)}
// It replays ${file}: commit that file with this test. Run it in the folder of .heddle.
test(${literal(title)}, () => {
${body}${end}
`
}

const comment = (text: string): string => printable(text.replaceAll(/\s+/g, ' '))

/** JavaScript with plain quotes, in which no character means anything else. */
function literal(value: string | readonly string[]): string {
  if (typeof value !== 'string') return `[${value.map(literal).join(', ')}]`
  const text = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${text.replaceAll(/[\u007f-\u009f\u2028\u2029\u202a-\u202e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`
}
