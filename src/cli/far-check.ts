/** `heddle check --queue` and `--resume`: the replays of a check are made by workers, and the command line reports progress. */
import { analyse, type AnalyseOptions, type CheckResult } from '../check.ts'
import { Connection } from '../explore/queue/connection.ts'
import { CheckRun } from '../farm/check-run.ts'
import { fitOf } from '../farm/fit.ts'
import { FRONT_ENDS } from '../frontends/all.ts'
import { recognise } from '../frontends/command.ts'
import { parse, type Arguments } from '../options/parse.ts'
import { COMMANDS } from '../options/table.ts'
import { inNewRun } from '../store/new-run.ts'
import { Store } from '../store/store.ts'
import { noWorkers, otherVersion, resumeNeedsQueue } from './errors.ts'

/** Options that a resumed run takes over: what it may do, and nothing that names a file or a command. */
const RESUMED = [
  'timers',
  'time',
  'replays',
  'max-findings',
  'budget',
  'confirm',
  'max-delay',
  'picture',
  'library',
  'history',
  'depth',
  'exhaustive',
  'why-varies',
  'at-once',
  'branches',
]
const LOOK_MS = 1000

export class FarCheck {
  private timer: NodeJS.Timeout | undefined
  private gaveUp = false

  private constructor(
    private readonly connection: Connection,
    private readonly check: CheckRun,
    private readonly url: string,
  ) {}

  /** Undefined where no queue was asked for. */
  static async open(args: Arguments): Promise<FarCheck | undefined> {
    const [url, resume] = [args.word('queue'), args.word('resume')]
    if (url === undefined) {
      if (resume !== undefined) throw resumeNeedsQueue()
      return undefined
    }
    const connection = await Connection.open(url, args.word('queue-creds'), 'heddle check')
    try {
      const plan = {
        command: args.rest,
        cwd: process.cwd(),
        options: args.asWords(RESUMED),
        atOnce: args.number('at-once'),
        silenceMs: args.number('queue-silence')! * 1000,
      }
      const check = resume === undefined ? await CheckRun.begin(connection, plan) : await CheckRun.resume(connection, resume, plan)
      return new FarCheck(connection, check, connection.url)
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  /** Of a resumed run, what was said when it began. */
  over(args: Arguments): Arguments {
    const { record } = this.check
    if (record?.kind !== 'check') return args
    const words = parse(
      COMMANDS.find(({ name }) => name === 'check')!,
      record.options,
    )
    return words === 'help' ? args : args.over(new Map([...args.all, ...[...words.all].filter(([name]) => RESUMED.includes(name))]))
  }

  get isResumed(): boolean {
    return this.check.record !== undefined
  }

  get makes(): AnalyseOptions['makes'] {
    return this.check.makes
  }

  /** Everything after the recorded run, which is on the queue. */
  async resume(options: AnalyseOptions): Promise<CheckResult> {
    const { record } = this.check
    const { command, fit } = record!
    const here = fitOf(command, options.cwd)
    if (here.heddle !== fit.heddle) throw otherVersion(fit.heddle, here.heddle)
    const program = recognise(command, options.cwd, FRONT_ENDS)
    const store = Store.open(options.cwd)
    const recording = await this.check.recording(store)
    return inNewRun(store, options.onProgress, (_, onProgress) =>
      analyse(program, recording, store, { ...options, onProgress, makes: this.check.makes }),
    )
  }

  /** Without workers it goes on until nobody came for so long. */
  waitFor(mostMs: number, stop: () => void): void {
    this.timer = setInterval(() => {
      if (this.check.follow.aloneMs < mostMs) return
      this.gaveUp = true
      stop()
    }, LOOK_MS)
  }

  /** The sentence for what is left, and the exit code if that is another. */
  async end(interrupted: boolean): Promise<{ readonly left?: string; readonly sum: string; readonly isIncomplete: boolean }> {
    clearInterval(this.timer)
    const { sum } = this.check.follow
    const { run, dead } = this.check
    await this.check.end(interrupted)
    await this.connection.close()
    const again = `heddle check --queue ${this.url} --resume ${run}`
    if (this.gaveUp) throw noWorkers(this.url, again)
    return { sum, isIncomplete: dead > 0, ...(interrupted ? { left: `What is left stays on the queue. To go on: ${again}` } : {}) }
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.connection.close()
  }
}
