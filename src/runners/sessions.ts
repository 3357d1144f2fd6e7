/** In the process of a test runner: a session for each test, and its analysis in a separate process. contract.ts says how the adapters use it. */
import { writeJson } from '../base/json-file.ts'
import type { TestName } from '../schedule/schedule.ts'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { toPattern } from '../base/path-glob.ts'
import { TESTS, type RuntimeSession, type RuntimeTests } from '../runtime/js/tests.ts'
import { Analyser } from './analyser.ts'
import { ConfirmedFinding, type RunAgain, type TestSession, type TestSessions, type TestSummary, type Thrown } from './contract.ts'
import type { Job, JobResult } from './job.ts'
import { offIn, type Off } from './off.ts'
import type { TestRunSettings } from './settings.ts'
import { plainMs } from './suite-budget.ts'

/** A test that is over. */
interface Recorded {
  readonly session: RuntimeSession
  readonly thrown: Thrown | undefined
  readonly test: TestName
  readonly again: RunAgain
  readonly folder: string
  /** What the process had used when it began. */
  readonly processor: NodeJS.CpuUsage
}

const CONCURRENT = 'it ran while another test was recorded'

let made: TestSessions | undefined

/** Undefined in a process that Heddle has nothing to do with. */
export function testSessions(): TestSessions | undefined {
  if (made !== undefined) return made
  const runtime = (globalThis as Record<symbol, unknown>)[Symbol.for(TESTS)] as RuntimeTests | undefined
  return runtime && (made = new Sessions(runtime))
}

class Sessions implements TestSessions {
  readonly mode: 'record' | 'replay'
  readonly only: TestName | undefined
  private readonly settings: TestRunSettings
  private readonly offs = new Map<string, Off>()
  private readonly count = { analysed: 0, replayed: 0, before: 0, off: 0, cut: 0, left: 0, unreached: 0, findings: 0 }
  private readonly notRecorded: { test: string; why: string }[] = []
  private readonly notes = new Set<string>()
  private readonly wrong = new Set<string>()
  private readonly analyser = new Analyser()
  private number = 0
  /** When the first test began, and what was used since for all of them: milliseconds since the process began. */
  private toStart: number | undefined
  private analyses = 0
  private plain = 0

  constructor(private readonly runtime: RuntimeTests) {
    const { mode, tests } = runtime.config
    this.mode = mode
    this.only = tests!.only
    this.settings = tests!.settings as TestRunSettings
  }

  begin(test: TestName, again: RunAgain): TestSession | undefined {
    const { runtime } = this
    if (this.mode === 'replay') {
      const { only } = this
      if (only === undefined || only.file !== test.file || only.name !== test.name || (only.nth ?? 1) !== (test.nth ?? 1)) return undefined
      const session = runtime.begin(test)
      return session && { part: (body) => session.part(body), end: async (thrown) => void session.end(thrown) }
    }
    if (this.isOff(test)) {
      this.count.off++
      this.tell()
      return undefined
    }
    const folder = join(runtime.config.tests!.runs, 'tests', `${process.pid}-${++this.number}`)
    this.toStart ??= performance.now()
    const processor = process.cpuUsage()
    const session = runtime.begin(test, folder)
    if (session === undefined) {
      this.leaveOut(test, CONCURRENT)
      return undefined
    }
    return { part: (body) => session.part(body), end: (thrown) => this.end({ session, thrown, test, again, folder, processor }) }
  }

  setup<T>(body: () => T): Promise<Awaited<T>> {
    return this.runtime.setup(body)
  }

  instrument(file: string, code: string, kind: 'module' | 'commonjs'): string | undefined {
    return this.runtime.instrument(file, code, kind)
  }

  summary(): TestSummary {
    return { ...this.count, notRecorded: this.notRecorded, notes: [...this.notes], wrong: [...this.wrong] }
  }

  leaveOut({ name }: TestName, why: string): void {
    if (this.mode === 'replay') return
    this.notRecorded.push({ test: name, why })
    this.tell()
  }

  private isOff({ file, name }: TestName): boolean {
    let off = this.offs.get(file)
    if (off === undefined) this.offs.set(file, (off = this.lookForOff(file)))
    return off.file || off.test(name)
  }

  private lookForOff(file: string): Off {
    if (this.settings.off.some((glob) => toPattern(glob).test(file))) return { file: true, test: () => true }
    try {
      return offIn(this.runtime.unseen(() => readFileSync(file, 'utf8')))
    } catch {
      return { file: false, test: () => false }
    }
  }

  private async end({ session, thrown, test, again, folder, processor }: Recorded): Promise<void> {
    const { milliseconds, turns } = session.end(thrown)
    const { user, system } = process.cpuUsage(processor)
    this.plain += plainMs(milliseconds, (user + system) / 1000)
    try {
      // It failed by itself: that is for its owner to mend first. With one turn there is nothing to put in another order.
      if (thrown !== undefined) return this.leaveOut(test, thrown.skips ? 'it skipped itself' : 'it failed by itself')
      const result: JobResult =
        turns < 2 ? { replays: 0, findings: 0, notes: [] } : await this.analyse({ test, again, folder, milliseconds })
      if (result.problem !== undefined) {
        this.leaveOut(test, result.problem)
        return
      }
      this.count.left += result.left ?? 0
      if (result.cut || result.unreached) {
        this.count[result.cut ? 'cut' : 'unreached']++
        this.tell()
        return
      }
      this.count.analysed++
      if (result.replays > 0) this.count.replayed++
      this.count.before += result.before ?? 0
      this.count.findings += result.findings
      for (const note of result.notes) this.notes.add(note)
      for (const fault of result.wrong ?? []) this.wrong.add(fault)
      this.tell()
      if (result.message !== undefined) throw confirmed(result.message)
    } finally {
      if (process.env['HEDDLE_DEBUG'] !== '1') rmSync(folder, { recursive: true, force: true })
    }
  }

  private async analyse(job: Pick<Job, 'test' | 'again' | 'folder' | 'milliseconds'>): Promise<JobResult> {
    const { analyses, plain, toStart = 0 } = this
    const start = performance.now()
    try {
      const clock = { alone: start - analyses, analyses, plain, toStart }
      return await this.analyser.ask({ ...job, clock, config: this.runtime.config })
    } finally {
      this.analyses += performance.now() - start
    }
  }

  /** For the end of the run, which is in another process. */
  private tell(): void {
    writeJson(join(this.runtime.config.tests!.runs, `summary-${process.pid}.json`), this.summary())
  }
}

function confirmed(message: string): ConfirmedFinding {
  const finding = new ConfirmedFinding(message)
  finding.stack = `ConfirmedFinding: ${message}`
  return finding
}
