/** A native program that fails while it is recorded: the error names the site, and the recording is kept. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { recordPassing } from '../../src/confirm/record.ts'
import { FRONT_ENDS } from '../../src/frontends/all.ts'
import { recognise } from '../../src/frontends/command.ts'
import { threadsTrace } from '../../src/frontends/threads-trace.ts'
import { openTrace } from '../../src/trace/open.ts'
import { compiled, skipped } from '../native-runtime/under.ts'

const folder = mkdtempSync(join(tmpdir(), 'heddle-failed-recording-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(skipped !== '')(`a recording that fails${skipped}`, () => {
  test('names the thread and the place, and keeps the trace', async () => {
    const program = compiled('ends.c')
    const recording = recordPassing(recognise([program, 'segv-in-thread'], folder, FRONT_ENDS), {
      command: [program, 'segv-in-thread'],
      cwd: folder,
      folder,
      timers: 'due',
      include: [],
      exclude: [],
      detail: false,
      outputToError: false,
      quiet: true,
      stop: new AbortController().signal,
      limitMs: undefined,
    })
    await expect(recording).rejects.toMatchObject({
      code: 'recorded-run-failed',
      fact: expect.stringMatching(/SIGSEGV \(thread 1 at .*ends\.c:\d+/),
    })
    await expect(recording).rejects.toThrow(`heddle show ${threadsTrace(folder)}`)
    const trace = openTrace(threadsTrace(folder))
    expect([...trace.tables.tasks]).toEqual(['main', 'thread 1'])
  })
})
