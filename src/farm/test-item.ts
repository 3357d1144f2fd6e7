/**
 * The tests of one file of a test run that is on the queue. The item names the file by its index in the list that the worker makes itself, so it
 * cannot name any other file.
 */
import { packedFiles } from '../explore/queue/pack.ts'
import { hashOf, type Item } from '../explore/queue/item.ts'
import type { Queue } from '../explore/queue/queue.ts'
import { NotHere } from '../explore/queue/work.ts'
import { testCommandOf } from '../runners/command.ts'
import type { TestEntry } from '../runners/part.ts'
import { runTests } from '../runners/run-tests.ts'
import type { TestSettings } from '../runners/settings.ts'
import { testFilesOf, type TestFiles } from '../runners/test-files.ts'
import { Store } from '../store/store.ts'
import type { RunRecord } from './record.ts'
import { isFull, isOurs, whyOf } from './replay-item.ts'

export class TestWork {
  private readonly files: TestFiles

  /** The command of the record was allowed. */
  constructor(
    private readonly queue: Queue,
    private readonly record: Extract<RunRecord, { kind: 'tests' }>,
    private readonly cwd: string,
  ) {
    this.files = testFilesOf(testCommandOf(record.command, cwd), cwd)
  }

  async make({ nth, name }: Extract<Item, { kind: 'tests' }>, signal: AbortSignal): Promise<string> {
    if (this.files.files[nth] !== name)
      throw new NotHere(`there is no test file ${nth} of the name ${JSON.stringify(name.slice(0, 100))}`, true)
    if (isFull(this.cwd)) throw new NotHere('the disk is full here')
    try {
      const { entry, interrupted } = await runTests({
        command: this.files.commandFor([name]),
        cwd: this.cwd,
        settings: this.settings(),
        name,
        signal,
        output: 'kept',
        say: () => undefined,
      })
      if (interrupted) throw new NotHere('this worker was stopped')
      if (isFull(this.cwd)) throw new NotHere('the disk is full here')
      const pack = await packedFiles(this.kept(entry), { entry, root: this.cwd })
      const object = `result-${hashOf(pack)}`
      await this.queue.store(object, pack)
      return object
    } catch (error) {
      throw isOurs(error) ? new NotHere(whyOf(error)) : error
    }
  }

  /** Its findings, as this folder keeps them: whoever asked can show and replay them. */
  private kept({ documents }: TestEntry): { readonly name: string; readonly bytes: Buffer }[] {
    const store = Store.look(this.cwd)
    const ids = new Set(documents.flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint)))
    return [...ids].flatMap((id) => {
      const text = store.stored('findings', id)
      return text === undefined ? [] : [{ name: `${id}.json`, bytes: Buffer.from(text) }]
    })
  }

  /** Files are the worker's own: properties of the run are not among them, and committed schedules stay as they are. */
  private settings(): TestSettings {
    const { settings } = this.record
    return {
      ...settings,
      depth: settings.depth,
      property: [],
      isolate: undefined,
      // Which worker did what before is chance.
      history: false,
      update: false,
      leavesNoSchedules: true,
      changed: undefined,
    }
  }

  close(): void {}
}
