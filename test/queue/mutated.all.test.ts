/**
 * Anyone with access to the queue can put anything there. 100,000 mutated items, plans, records, recordings and results go through the code of a worker and of the one who asked. Nothing throws what is not
 * said to somebody, nothing is written outside a folder, and no command is started but those that the worker allows. The front end here starts nothing: it notes what it would start.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { HeddleError } from '../../src/errors.ts'
import { hashOf, idOf, ITEM_VERSION, itemBytes, type Item } from '../../src/explore/queue/item.ts'
import { MemoryQueue } from '../../src/explore/queue/memory.ts'
import { BadPack, packedFiles } from '../../src/explore/queue/pack.ts'
import { planBytes, saidOf } from '../../src/explore/queue/plan.ts'
import { FarReplays } from '../../src/explore/queue/replays.ts'
import { workOnce } from '../../src/explore/queue/work.ts'
import { fitOf } from '../../src/farm/fit.ts'
import { readRecord, type RunRecord } from '../../src/farm/record.ts'
import { ReplayWork } from '../../src/farm/replay-item.ts'
import { entryOf } from '../../src/farm/test-run.ts'
import { madeBy, whyNotHere } from '../../src/farm/worker.ts'
import type { Ended, FrontEnd, Program, ReplayPlan } from '../../src/frontends/contract.ts'
import { plainSchedule } from '../../src/schedule/schedule.ts'
import { NOTHING } from '../../src/runners/summaries.ts'
import { mutatedBytes, mutatedJson } from '../fuzz/mutate.ts'
import { orders } from './projects.ts'
import { cannot, Nats, Yard } from './server.ts'
import { cannot as cannotNative } from '../programs/native.ts'

const MANY = 100_000
const RUN = 'abcdef123456'
const ALLOW = ['node *.js']
const NEVER = new AbortController().signal

const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'heddle-mutated-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const cwd = join(folder, 'project')
mkdirSync(cwd)
for (const name of ['app.js', 'other.js']) writeFileSync(join(cwd, name), '')

/** Commands that would have been started. */
const started = new Map<string, number>()
const ENDED: Ended = {
  exit: { code: 0, signal: null, ms: 1 },
  stopped: undefined,
  stdout: 'out',
  stderr: '',
  waiting: [],
  notes: [],
  paths: [],
  seen: [],
}
const FRONT_END: FrontEnd = {
  name: 'noting',
  recognise: ({ word, args }): Program => {
    const begin = (): void => {
      const words = JSON.stringify([word, ...args])
      started.set(words, (started.get(words) ?? 0) + 1)
    }
    return {
      frontEnd: 'noting',
      inspectable: false,
      record: () => Promise.reject(new Error('nothing is recorded here')),
      read: () => ({ events: 0, seen: [], notes: [], meets: () => false }),
      replay: async ({ ran }) => {
        if (ran) return { ...ENDED, ...(await ran()) }
        begin()
        return ENDED
      },
      alone: async () => {
        begin()
        return ENDED
      },
    }
  },
}
const SETTINGS = { cwd, frontEnds: [FRONT_END], isolate: [], hooks: {}, allow: ALLOW }

const schedule = plainSchedule({ command: ['sh', '-c', 'touch /tmp/evil'], timers: 'due' })
const WATCH = [{ kind: 'call', owner: 'fs', name: 'readFile', when: ['before'], args: 1, first: ['x'] }]
const PLANS = [
  Buffer.from(JSON.stringify({ kind: 'replay', schedule, watch: WATCH, ownWatch: WATCH, memory: false, toDraw: true, branches: false })),
  Buffer.from('{"kind":"alone"}'),
]
const RECORDING = {
  frontEnd: 'noting',
  command: ['sh', '-c', 'touch /tmp/evil'],
  folder: '/p/.heddle/runs/1',
  trace: '/p/.heddle/runs/1/trace.heddle',
  timers: 'due',
  include: [],
  exclude: [],
  ms: 1,
  stopped: false,
  stdio: ['quiet', 'pipe', 'pipe'],
  observed: { runtime: 'node v20', modules: ['a.js'], skipped: [], events: 1 },
  notes: [],
}
const fit = fitOf(['node', 'app.js'], cwd)
const record = { heddle: 1, run: RUN, command: ['node', 'app.js'], fit, root: '/p', host: 'h', started: '2026-01-01T00:00:00Z' }
const replayItem = (plan: string, nth: number): Item => ({ heddle: ITEM_VERSION, kind: 'replay', run: RUN, plan, nth, watchdogMs: 1000 })

/** A good recording as a pack, and what a mutated one is made of: its parts, for a deflated whole hardly ever opens. */
const packOf = (json: Buffer): Promise<Buffer> =>
  packedFiles(
    [
      { name: 'recording.json', bytes: json },
      { name: 'trace.heddle', bytes: Buffer.from('x') },
    ],
    {},
  )

const mutated = (good: readonly Buffer[], random: Random): Buffer => {
  const one = random.pick(good)
  return random.chance(0.7) ? Buffer.from(mutatedJson(one.toString(), random)) : mutatedBytes(one, random, good)
}

async function openWork(queue: MemoryQueue, of: RunRecord): Promise<ReplayWork | undefined> {
  if (whyNotHere(of, SETTINGS) !== undefined || of.kind !== 'check') return undefined
  return ReplayWork.open(queue, of, SETTINGS)
}

/** What a worker says to its user and goes on from: Farm.look. */
const isSaid = (error: unknown): boolean =>
  error instanceof HeddleError || error instanceof BadPack || (error as NodeJS.ErrnoException).code !== undefined

const seeds = (share: number): number => Math.round(MANY * share)

test('mutated items and plans: each is done or given up, and the worker goes on', async () => {
  const queue = new MemoryQueue(RUN)
  const recording = await packOf(Buffer.from(JSON.stringify(RECORDING)))
  await queue.store(hashOf(recording), recording)
  const work = (await openWork(
    queue,
    readRecord(RUN, JSON.stringify({ ...record, kind: 'check', recording: hashOf(recording), options: [] })),
  ))!
  onTestFinished(() => work.close())
  const plans = PLANS.map((bytes) => hashOf(bytes))
  for (const [i, bytes] of PLANS.entries()) await queue.store(plans[i]!, bytes)
  const items = [
    replayItem(plans[0]!, 1),
    replayItem(plans[1]!, 2),
    { heddle: ITEM_VERSION, kind: 'tests', run: RUN, nth: 0, name: 'a' } as Item,
  ]
  const good = items.map((item) => Buffer.from(itemBytes(item)))
  let [done, dead] = [0, 0]
  const worker = {
    name: 'w',
    make: (item: Item) => madeBy(work, RUN, item, NEVER),
    onDone: (_: unknown, result: object) => ('dead' in result ? dead++ : done++),
  }
  for (let nth = 0; nth < seeds(0.65); nth++) {
    const random = new Random(nth)
    if (nth % 2 === 0) queue.putBytes(`item ${nth}`, mutated(good, random))
    else {
      const plan = mutated(PLANS, random)
      await queue.store(hashOf(plan), plan)
      queue.putBytes(`plan ${nth}`, itemBytes(replayItem(hashOf(plan), nth)))
    }
    await workOnce(queue, worker, NEVER)
    expect(queue.size, `seed ${nth}`).toBe(0)
  }
  console.log(JSON.stringify({ mutated: 'items and plans', done, dead, started: [...started] }))
  expect(done).toBeGreaterThan(1000)
  expect([...started.keys()]).toEqual(['["node","app.js"]'])
})

test('mutated records and recordings: only a command that is allowed gets as far as a recording', async () => {
  const queue = new MemoryQueue(RUN)
  const goodRecording = Buffer.from(JSON.stringify(RECORDING))
  const pack = await packOf(goodRecording)
  await queue.store(hashOf(pack), pack)
  const evil = [
    ['sh', '-c', 'touch /tmp/evil'],
    ['node', '-e', '1'],
    ['node', '/tmp/evil.js'],
    ['node', '../evil.js'],
    ['node', 'other.js'],
  ]
  const records = [record.command, ...evil].map((command) =>
    Buffer.from(JSON.stringify({ ...record, command, kind: 'check', recording: hashOf(pack), options: ['--time=60'] })),
  )
  let [opened, refused, said] = [0, 0, 0]
  for (let nth = 0; nth < seeds(0.1); nth++) {
    const random = new Random(nth)
    try {
      let bytes: Buffer = records[0]!
      if (nth % 2 === 0) bytes = mutated(records, random)
      else {
        const other = random.chance(0.8) ? await packOf(mutated([goodRecording], random)) : mutatedBytes(pack, random, [pack])
        await queue.store(hashOf(other), other)
        bytes = Buffer.from(JSON.stringify({ ...(JSON.parse(bytes.toString()) as object), recording: hashOf(other) }))
      }
      const work = await openWork(queue, readRecord(RUN, bytes.toString()))
      if (work) opened++
      else refused++
      work?.close()
    } catch (error) {
      if (!isSaid(error)) throw new Error(`seed ${nth}`, { cause: error })
      said++
    }
  }
  console.log(JSON.stringify({ mutated: 'records and recordings', opened, refused, said }))
  expect(opened).toBeGreaterThan(100)
  expect([...started.keys()]).toEqual(['["node","app.js"]'])
  expect(readdirSync(join(cwd, '.heddle/runs'))).toEqual([])
})

test('mutated results: whoever asked says that they were given up, and goes on', async () => {
  const program = FRONT_END.recognise(
    { word: 'node', args: ['app.js'], env: {}, notes: [], file: () => ({ path: '', head: '', shebang: undefined }) },
    [],
  )!
  const queue = new MemoryQueue(RUN)
  const said = saidOf({ exit: { code: 1, signal: null, ms: 20 }, stopped: undefined, stdout: '/there/app.js', stderr: '', root: '/there' })
  const head = Buffer.from(
    JSON.stringify({
      said,
      files: [
        { name: 'report.json', size: 2 },
        { name: 'threads/1', size: 1 },
      ],
    }),
  )
  const entry = { name: 'a.test.js', started: '2026-01-01T00:00:00Z', exit: 0, summary: NOTHING, documents: [], output: 'ok' }
  const entryHead = Buffer.from(JSON.stringify({ said: { entry, root: '/there' }, files: [{ name: 'f.json', size: 2 }] }))
  const { deflateRawSync } = await import('node:zlib')
  const packed = (json: Buffer, rest: string): Buffer =>
    deflateRawSync(Buffer.concat([Buffer.from('heddle pack 1\n'), json, Buffer.from(`\n${rest}`)]))
  const results = [Buffer.from('{"object":"NAME","attempt":1,"ms":5,"by":"w"}'), Buffer.from('{"dead":"it ended 3 workers","attempt":4}')]
  const at = join(folder, 'replay')
  const plan: ReplayPlan = {
    schedule: plainSchedule({ command: ['node', 'app.js'], timers: 'due' }),
    recording: { include: [], exclude: [], stdio: ['quiet', 'pipe', 'pipe'], input: undefined },
    cwd,
    folder: at,
    watchdogMs: 1000,
    watch: [],
    memory: false,
    toDraw: false,
    branches: false,
    inspect: false,
  }
  const name = hashOf(planBytes(plan))
  const far = new FarReplays(queue, program, cwd, 1)
  let [read, entries] = [0, 0]
  for (let nth = 0; nth < seeds(0.25); nth++) {
    const random = new Random(nth)
    const object = `object-${nth}`
    const isResult = nth % 4 === 0
    const isTest = nth % 4 === 3
    const json = (isResult ? mutated(results, random) : results[0]!).toString().replace('NAME', object)
    const bytes = isTest
      ? packed(isResult ? entryHead : mutated([entryHead], random), '{}')
      : packed(isResult ? head : mutated([head], random), '{}x')
    await queue.store(object, bytes)
    if (isTest) {
      await queue.claim('done', `tests-${nth}`, json)
      const got = await entryOf(
        queue,
        { name: 'a.test.js', nth, root: cwd },
        NEVER,
        () => undefined,
        () => undefined,
      )
      if (got!.exit === 0) entries++
    } else {
      rmSync(at, { recursive: true, force: true })
      mkdirSync(at)
      const next = nth - Math.floor((nth + 1) / 4)
      await queue.claim('done', idOf(replayItem(name, next)), json)
      const ended = await far.replay(plan)
      if (ended.stopped !== 'interrupted') read++
    }
  }
  console.log(JSON.stringify({ mutated: 'results', read, entries, givenUp: far.dead.length }))
  expect(read).toBeGreaterThan(100)
  expect(entries).toBeGreaterThan(100)
  expect(readdirSync(folder).sort()).toEqual(['project', 'replay'])
  expect(existsSync('/tmp/evil')).toBe(false)
})

const unable = cannot || cannotNative
test.skipIf(unable !== '')(`a worker on a server full of mutated records and items starts nothing of it, and works ${unable}`, async () => {
  const nats = await Nats.start()
  const yard = new Yard()
  const project = orders(3)
  onTestFinished(async () => {
    await yard.end()
    project.end()
    await nats.end()
  })
  const canary = join(folder, 'canary')
  const connection = await nats.connect()
  const runs = await connection.kvm.create('heddle_runs')
  const mine = fitOf(['./order'], project.here)
  const commands = [['touch', canary], ['sh', '-c', `touch ${canary}`], ['./order', `; touch ${canary}`], ['./order']]
  const records = commands.map((command) =>
    Buffer.from(JSON.stringify({ ...record, command, fit: mine, kind: 'check', recording: 'a'.repeat(64), options: [] })),
  )
  for (let nth = 0; nth < 300; nth++) {
    const run = `mutated${nth}`
    const bytes = mutated(records, new Random(nth)).toString().replaceAll(RUN, run)
    await runs.put(run, bytes)
  }
  const worker = yard.worker(project.copy(), nats.url, './order')
  await worker.says(/Run mutated99 is left to others/)
  const asker = yard.start(project.here, ['check', '--json', '--queue', nats.url, '--exhaustive', '--time', '300', '--', './order'])
  await worker.says(/Works for run/)
  const [, run] = /Works for run ([a-z0-9]+)/.exec(worker.said)!
  const good = Buffer.from(itemBytes({ ...replayItem('a'.repeat(64), 1), run: run! }))
  for (let nth = 0; nth < 300; nth++) {
    const item = mutated([good], new Random(nth))
    await connection.js.publish(`heddle.${run}.work`, item).catch(() => undefined)
    if (nth % 50 === 0) await sleep(1)
  }
  await connection.close()
  const { code, out, err } = await asker.ended
  expect(code, err).toBe(0)
  expect(out).toContain('"classes":6')
  expect(worker.child.exitCode).toBe(null)
  expect(existsSync(canary)).toBe(false)
})
