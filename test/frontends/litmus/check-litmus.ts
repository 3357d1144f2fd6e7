/** `check` on a little program, in this process, with `.heddle` in a folder of its own. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckOptions, CheckResult } from '../../../src/check-options.ts'
import { check } from '../../../src/check.ts'
import type { Declaration } from '../../../src/property/ast.ts'
import type { Timers } from '../../../src/schedule/schedule.ts'
import { litmus } from './front-end.ts'

/** In memory where that can be: most of the time of a check goes to making and removing folders. */
const ROOT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export interface Asked {
  /** Of the recorded run. */
  readonly order?: number
  readonly timers?: Timers
  readonly properties?: readonly Declaration[]
  readonly options?: Partial<CheckOptions>
}

/** Of a text, or of a file. */
export const commandOf = (program: string, order?: number): string[] => [
  'litmus',
  program.startsWith('/') ? program : `${program}\n`,
  ...(order === undefined ? [] : ['--order', String(order)]),
]

export async function checkLitmus(text: string, { order, timers = 'due', properties = [], options }: Asked = {}): Promise<CheckResult> {
  const folder = mkdtempSync(join(ROOT, 'heddle-litmus-'))
  const never = new AbortController().signal
  try {
    return await check(commandOf(text, order), {
      frontEnds: [litmus],
      cwd: folder,
      timers,
      properties,
      asked: new Set(properties.map(({ name }) => name)),
      history: false,
      timeMs: 60_000,
      replays: 200,
      maxFindings: 20,
      confirm: 3,
      include: [],
      exclude: [],
      detail: false,
      outputToError: false,
      quiet: true,
      limitMs: undefined,
      stop: never,
      signal: never,
      onProgress: () => {},
      ...options,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const failed = (result: CheckResult): CheckResult['findings'] => result.findings.filter(({ status }) => status === 'FAILED')
