/** `heddle test --queue`: the test files are put on a queue, and the command line follows the workers. */
import { Connection } from '../explore/queue/connection.ts'
import { TestRun } from '../farm/test-run.ts'
import type { TestConfig } from '../config/config.ts'
import type { Arguments } from '../options/parse.ts'
import { printable } from '../report/escape.ts'
import type { TestCommand } from '../runners/command.ts'
import type { TestEntry } from '../runners/part.ts'
import { testFilesOf } from '../runners/test-files.ts'
import { ProgressFile } from '../store/progress-file.ts'
import { Store } from '../store/store.ts'
import { noWorkers, testsOnQueue } from './errors.ts'
import { catchInterrupt } from './interrupt.ts'
import { ProgressLine } from './progress.ts'

/** Nobody came for so long. */
const PATIENCE_MS = 60_000
const LOOK_MS = 500

export interface FarTests {
  readonly entries: readonly TestEntry[]
  readonly interrupted: boolean
  readonly left?: string
}

export async function farTests(args: Arguments, command: TestCommand, config: TestConfig): Promise<FarTests> {
  const cwd = process.cwd()
  if (config.property.length > 0) throw testsOnQueue('--property')
  const { files } = testFilesOf(command, cwd)
  const { property: _, isolate: __, depth, ...settings } = config
  const connection = await Connection.open(args.word('queue')!, args.word('queue-creds'), 'heddle test')
  const interrupt = catchInterrupt()
  const progress = new ProgressLine(process.stderr, true)
  const shown = new ProgressFile(Store.open(cwd).folder)
  let timer: NodeJS.Timeout | undefined
  try {
    const plan = {
      command: args.rest,
      cwd,
      settings: { ...settings, ...(depth === undefined ? {} : { depth }) },
      silenceMs: args.number('queue-silence')! * 1000,
    }
    const resume = args.word('resume')
    const run = resume === undefined ? await TestRun.begin(connection, plan, files.length) : await TestRun.resume(connection, resume)
    const again = `heddle test --queue ${connection.url} --resume ${run.record.run} -- ${args.rest.join(' ')}`
    let [done, failed] = [0, 0]
    const gaveUp = new AbortController()
    timer = setInterval(() => {
      const text = `${done} of ${files.length} test files${run.follow.said()}, ${failed} failed`
      progress.say(text)
      shown.tell({ phase: 'replaying', text, replays: done, mostReplays: files.length, findings: done, failed })
      if (run.follow.aloneMs > PATIENCE_MS) gaveUp.abort()
    }, LOOK_MS)
    const stop = AbortSignal.any([interrupt.signal, gaveUp.signal])
    const entries = await run.entries(files, cwd, stop, (entry) => {
      done++
      if (entry.exit === 0) return
      failed++
      progress.clear()
      process.stderr.write(`${printable(entry.name)}:\n${entry.output ?? ''}\n`)
    })
    const interrupted = entries.length < files.length
    await run.end(interrupted)
    progress.clear()
    process.stderr.write(`heddle: ${run.follow.sum}\n`)
    if (gaveUp.signal.aborted && interrupted) throw noWorkers(connection.url, again)
    return { entries, interrupted, ...(interrupted ? { left: `What is left stays on the queue. To go on: ${again}` } : {}) }
  } finally {
    clearInterval(timer)
    progress.clear()
    shown.end()
    interrupt.release()
    await connection.close()
  }
}
