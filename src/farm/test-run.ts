/** A test run whose files are run by workers: `heddle test --queue`. An item is one file, with the budgets of its tests. */
import { hostname } from 'node:os'
import type { Connection } from '../explore/queue/connection.ts'
import { badRun, noSuchRun } from '../explore/queue/errors.ts'
import { idOf, ITEM_VERSION, type Item } from '../explore/queue/item.ts'
import { JetStreamQueue, Runs } from '../explore/queue/jetstream.ts'
import { BadPack, unpacked, type Unpacked } from '../explore/queue/pack.ts'
import type { Queue } from '../explore/queue/queue.ts'
import { moved } from '../explore/queue/replays.ts'
import { readResult, type Result } from '../explore/queue/work.ts'
import { isRecord } from '../base/objects.ts'
import { HeddleError } from '../errors.ts'
import { entryIn, type TestEntry } from '../runners/part.ts'
import { Store } from '../store/store.ts'
import { NOTHING } from '../runners/summaries.ts'
import { recordOf } from './check-run.ts'
import { fitOf } from './fit.ts'
import { Follow } from './follow.ts'
import { newRun, RECORD_VERSION, type RunRecord, type TestSettingsThere } from './record.ts'

export interface TestRunPlan {
  readonly command: readonly string[]
  readonly cwd: string
  readonly settings: TestSettingsThere
  readonly silenceMs?: number | undefined
}

export class TestRun {
  private constructor(
    private readonly runs: Runs,
    private readonly queue: JetStreamQueue,
    readonly record: Extract<RunRecord, { kind: 'tests' }>,
    readonly follow: Follow,
  ) {}

  static async begin(connection: Connection, { command, cwd, settings, silenceMs }: TestRunPlan, files: number): Promise<TestRun> {
    const runs = await Runs.open(connection)
    await Runs.sweep(connection)
    const run = newRun()
    const record = {
      heddle: RECORD_VERSION,
      kind: 'tests',
      run,
      command,
      fit: fitOf(command, cwd),
      root: cwd,
      host: hostname(),
      started: new Date().toISOString(),
      files,
      settings,
    } as const
    const queue = await JetStreamQueue.open(connection, run, silenceMs)
    await runs.put(run, record)
    return new TestRun(runs, queue, record, new Follow(connection, run))
  }

  static async resume(connection: Connection, run: string): Promise<TestRun> {
    const runs = await Runs.open(connection)
    const record = await recordOf(runs, run)
    if (record.kind !== 'tests') throw badRun(run, 'it is a check')
    const queue = await JetStreamQueue.join(connection, run)
    if (!queue) throw noSuchRun(run)
    return new TestRun(runs, queue, record, new Follow(connection, run))
  }

  /** Each as it comes. Undefined of those that nobody has done when `signal` says to stop. */
  async entries(files: readonly string[], root: string, signal: AbortSignal, onEntry: (entry: TestEntry) => void): Promise<TestEntry[]> {
    this.follow.begin()
    const told = (result: Result): void => this.follow.onResult(result)
    const all = await Promise.all(files.map((name, nth) => entryOf(this.queue, { name, nth, root }, signal, told, onEntry)))
    return all.filter((entry) => entry !== undefined)
  }

  async end(keep: boolean): Promise<void> {
    this.follow.close()
    if (keep) return this.queue.close()
    await this.runs.remove(this.record.run)
    await this.queue.remove()
  }
}

interface File {
  readonly name: string
  readonly nth: number
  /** The folder of the project here. */
  readonly root: string
}

/** Puts the item there, unless it is done, and waits for it. */
export async function entryOf(
  queue: Queue,
  { name, nth, root }: File,
  signal: AbortSignal,
  told: (result: Result) => void,
  onEntry: (entry: TestEntry) => void,
): Promise<TestEntry | undefined> {
  const item: Item = { heddle: ITEM_VERSION, kind: 'tests', run: queue.run, nth, name }
  let json = await queue.claimed('done', idOf(item))
  if (json === undefined) {
    if (signal.aborted) return undefined
    await queue.put(item)
    json = await queue.result(idOf(item), signal)
  }
  if (json === undefined) return undefined
  const result = readResult(json)
  told(result)
  const entry = await opened(queue, result, name, root)
  onEntry(entry)
  return entry
}

async function opened(queue: Queue, result: Result, name: string, root: string): Promise<TestEntry> {
  const why = 'dead' in result ? result.dead : 'its result is not in the store'
  const object = 'object' in result ? await queue.load(result.object) : undefined
  if (object === undefined) return lost(name, why)
  try {
    const { said, files } = await unpacked(object)
    if (!isRecord(said) || typeof said['root'] !== 'string') return lost(name, 'its result cannot be read')
    const here = JSON.parse(moved(JSON.stringify(said['entry'] ?? null), said['root'], root)) as unknown
    const entry = { ...entryIn(here, name), name }
    keepFindings(root, said['root'], files, entry)
    return entry
  } catch (error) {
    if (error instanceof BadPack || error instanceof HeddleError || error instanceof SyntaxError) return lost(name, error.message)
    throw error
  }
}

/** For `heddle show` and `heddle replay`, which look at every field when they read them. */
function keepFindings(root: string, there: string, files: Unpacked['files'], { documents }: TestEntry): void {
  const store = Store.open(root)
  const ids = new Set(documents.flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint)))
  for (const { name, bytes } of files) {
    const id = name.replace(/\.json$/, '')
    if (ids.has(id)) store.put('findings', id, JSON.parse(moved(bytes.toString('utf8'), there, root)))
  }
}

/** Never silently green: nobody knows about these tests. */
const lost = (name: string, why: string): TestEntry => ({
  name,
  started: new Date(0).toISOString(),
  exit: 2,
  summary: { ...NOTHING, notRecorded: [{ test: name, why: `given up: ${why}` }], wrong: [`The tests of ${name} were given up: ${why}.`] },
  documents: [],
})
