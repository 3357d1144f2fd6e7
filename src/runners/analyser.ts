/** The process that analyses recorded tests, as the test process sees it: started with the first test, asked for each, ended with the test process. */
import { writeJson } from '../base/json-file.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { JOB, type Job, type JobResult } from './job.ts'

const ANALYSE = fileURLToPath(new URL(`./analyse.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url))
/** What the analysis said last, should it end without an answer. */
const LAST_WORDS = 2000

export class Analyser {
  private child: ChildProcess | undefined
  private said = ''

  /** One at a time. The test process stays alive until the answer is there, and not for the analyser's sake afterwards. */
  async ask(job: Job): Promise<JobResult> {
    writeJson(join(job.folder, JOB), job)
    const child = (this.child ??= this.start())
    hold(child, true)
    try {
      return await new Promise<JobResult>((resolve) => {
        const ended = (code: unknown): void => {
          this.child = undefined
          const why = this.said.trim().split('\n').at(-1) ?? ''
          resolve({ replays: 0, findings: 0, notes: [], problem: `its analysis ended with ${String(code)}: ${why}` })
        }
        child.once('error', ended)
        child.once('exit', ended)
        child.once('message', (result) => {
          child.off('error', ended).off('exit', ended)
          resolve(result as JobResult)
        })
        child.send(job.folder)
      })
    } finally {
      hold(child, false)
    }
  }

  private start(): ChildProcess {
    // With the last one (`node --test --watch`) it would tell us of every module it loads, in place of its answer.
    const { HEDDLE_RUN: _, NODE_OPTIONS: __, NODE_TEST_CONTEXT: ___, WATCH_REPORT_DEPENDENCIES: ____, ...env } = process.env
    const flags = ANALYSE.endsWith('.ts') ? ['--import', 'tsx'] : []
    const child = spawn(process.execPath, [...flags, ANALYSE], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env })
    child.stderr!.on('data', (piece: Buffer) => (this.said = `${this.said}${piece.toString()}`.slice(-LAST_WORDS)))
    ;(child.stderr as { unref?(): void } | null)?.unref?.()
    return child
  }
}

function hold(child: ChildProcess, alive: boolean): void {
  const way = alive ? 'ref' : 'unref'
  child[way]()
  child.channel?.[way]()
}
