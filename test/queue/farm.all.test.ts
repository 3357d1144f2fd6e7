/** The same result however many workers there are, and whatever happens to them: a figure for each, in .heddle/quality/queue. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { cannot as cannotNative } from '../programs/native.ts'
import { ROOT } from '../cli/run.ts'
import { Network } from './namespaces.ts'
import { orders, shop, toldIn, type Project, type Told } from './projects.ts'
import { cannot as cannotServe, Nats, Yard, type Ended, type Started } from './server.ts'

const cannot = cannotServe || cannotNative
const KILLS = 100
const nats = cannot === '' ? await Nats.start() : undefined
let yard = new Yard()
const project: Project | undefined = cannot === '' ? orders(4, true) : undefined
/** In one process, without a queue. */
let alone: Told | undefined
afterEach(async () => {
  await yard.end()
  yard = new Yard()
})
afterAll(async () => {
  project?.end()
  await nats?.end()
})

const ASK = ['--exhaustive', '--time', '600', '--max-findings', '10', '--', './order']

/** Not the ids: of this program two checks in one process need not isolate the same cause, and the id is made of it. */
async function told({ code, out, err }: Ended): Promise<Told> {
  if (!out.startsWith('{')) throw new Error(`${code} ${err}`)
  return { ...toldIn(code, out), findings: [] }
}

/** What it is held against. */
async function expected(): Promise<Told> {
  alone ??= await told(await yard.start(project!.copy(), ['check', '--json', ...ASK]).ended)
  expect(alone.code).toBe(1)
  expect(alone.failures).toHaveLength(1)
  return alone
}

const ask = (url: string, silence = 3): Started =>
  yard.start(project!.copy(), ['check', '--json', '--queue', url, '--queue-silence', String(silence), ...ASK])

const worker = (url: string, through: readonly string[] = [], cwd = project!.copy()): Started =>
  yard.start(cwd, ['worker', '--queue', url, '--allow', './order'], through)

const sumOf = ({ err }: Ended): string => /heddle: (\d+ items? by .*)\n/.exec(err)?.[1] ?? ''

function keep(fault: string, figure: Record<string, unknown>): void {
  const at = join(ROOT, '.heddle/quality/queue')
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, `${fault.replaceAll(/\W+/g, '-')}.json`), `${JSON.stringify({ fault, ...figure })}\n`)
  console.log(JSON.stringify({ fault, ...figure }))
}

async function timed(fault: string, started: Started, more: () => Record<string, unknown> = () => ({})): Promise<void> {
  const start = performance.now()
  const ended = await started.ended
  expect(await told(ended), ended.err).toEqual(await expected())
  keep(fault, { seconds: Math.round((performance.now() - start) / 100) / 10, sum: sumOf(ended), ...more() })
}

describe.skipIf(cannot !== '')(`many workers ${cannot}`, () => {
  test.each([1, 2, 4, 8])('%i workers: same findings, same classes as one process', async (count) => {
    await expected()
    for (let i = 0; i < count; i++) worker(nats!.url)
    await timed(`${count} workers`, ask(nats!.url, 30))
  })

  test.skipIf(Network.cannot !== '')(`4 workers in network namespaces with their own addresses ${Network.cannot}`, async () => {
    await expected()
    const network = Network.make()
    const far = await Nats.start(['-js'], network.address)
    try {
      for (let i = 0; i < 4; i++) worker(far.url, network.machine().through)
      await timed('4 workers in namespaces', ask(far.url, 30))
    } finally {
      await yard.end()
      await far.end()
      network.end()
    }
  })

  test('heddle open in the folder of the check follows it', async () => {
    const cwd = project!.copy()
    const open = yard.start(cwd, ['open', '--browser', 'off'])
    await open.says(/The report is at http/)
    const [, address] = /The report is at (\S+)/.exec(open.said)!
    worker(nats!.url)
    const asker = yard.start(cwd, ['check', '--json', '--queue', nats!.url, ...ASK])
    const seen = new Set<string>()
    const stop = new AbortController()
    void asker.ended.then(() => stop.abort())
    const { body } = await fetch(`${address!.replace(/\/$/, '')}/progress`, { signal: stop.signal })
    try {
      for await (const piece of body!) for (const line of Buffer.from(piece).toString().split('\n')) seen.add(line)
    } catch (error) {
      if (!stop.signal.aborted) throw error
    }
    expect((await asker.ended).code).toBe(1)
    expect([...seen].join('\n')).toMatch(/1 worker, \d+\.\d items\/s, \d+ classes/)
    const page = await (await fetch(address!)).text()
    expect(page).toContain('SIGABRT')
  })

  test('test files on 1, 2 and 4 workers: the same findings', async () => {
    const tests = shop(6)
    try {
      const options = ['--replays', '4', '--confirm', '1', '--report', 'all.json']
      const cwd = tests.copy()
      const read = (): readonly string[] => toldIn(0, spawnSync('cat', [join(cwd, 'all.json')], { encoding: 'utf8' }).stdout).findings
      await yard.start(cwd, ['test', ...options, '--budget', '10m', '--', 'node', '--test']).ended
      const near = read()
      rmSync(join(cwd, '__schedules__'), { recursive: true, force: true })
      expect(near.length).toBeGreaterThan(0)
      for (const count of [1, 2, 4]) {
        while (yard.all.filter(({ words }) => words[0] === 'worker').length < count) yard.worker(tests.copy(), nats!.url, 'node --test **')
        rmSync(join(cwd, 'all.json'))
        const { code, err } = await yard.start(cwd, ['test', '--queue', nats!.url, ...options, '--', 'node', '--test']).ended
        expect(code, err).toBe(1)
        expect(err).toMatch(/^Heddle: 6 tests analysed, 3 replayed; 3 failures confirmed\.$/m)
        expect(read()).toEqual(near)
      }
    } finally {
      await yard.end()
      tests.end()
    }
  })
})

describe.skipIf(cannot !== '')(`faults ${cannot}`, () => {
  test('the one who asked is killed, five times, and the run is resumed', async () => {
    await expected()
    worker(nats!.url)
    const cwd = project!.copy()
    const first = yard.start(cwd, ['check', '--json', '--queue', nats!.url, '--queue-silence', '2', ...ASK])
    await yard.all.find(({ words }) => words[0] === 'worker')!.says(/Works for run/)
    const [, run] = /Works for run ([a-z0-9]+)/.exec(yard.all.find(({ words }) => words[0] === 'worker')!.said)!
    first.kill('SIGKILL')
    const resume = (): Started => yard.start(cwd, ['check', '--json', '--queue', nats!.url, '--resume', run!, '--max-findings', '10'])
    for (let i = 0; i < 4; i++) {
      const one = resume()
      await sleep(1500 + 500 * i)
      one.kill('SIGKILL')
      await one.ended
    }
    await timed('kill -9 of the one who asked', resume(), () => ({ kills: 5 }))
  })

  test('the server is killed and started again, three times', async () => {
    await expected()
    const own = await Nats.start()
    try {
      for (let i = 0; i < 2; i++) worker(own.url)
      const asker = ask(own.url)
      await yard.all.find(({ words }) => words[0] === 'worker')!.says(/Works for run/)
      let kills = 0
      let over = false
      void asker.ended.then(() => (over = true))
      for (; kills < 3 && !over; kills++) {
        await sleep(700)
        await own.kill()
        await sleep(1000)
        await own.begin()
      }
      await timed('kill -9 of the server', asker, () => ({ kills }))
      expect(kills).toBeGreaterThan(0)
    } finally {
      await yard.end()
      await own.end()
    }
  })

  test.skipIf(Network.cannot !== '')(`the network between a worker and the server is cut for 30 s ${Network.cannot}`, async () => {
    await expected()
    const network = Network.make()
    const far = await Nats.start(['-js'], network.address)
    try {
      const [a, b] = [network.machine(), network.machine()]
      const cutOff = worker(far.url, a.through)
      worker(far.url, b.through)
      const asker = ask(far.url)
      await cutOff.says(/Works for run/)
      await sleep(500)
      const start = performance.now()
      for (const one of [a, b]) one.cut()
      setTimeout(() => [a, b].forEach((one) => one.join()), 30_000)
      await timed('network cut for 30 s', asker, () => ({ sinceCut: Math.round((performance.now() - start) / 1000) }))
      expect(performance.now() - start).toBeGreaterThan(30_000)
    } finally {
      await yard.end()
      await far.end()
      network.end()
    }
  })

  test.skipIf(process.getuid?.() !== 0)(
    'the disk of a worker is full: it gives back what it cannot do, and another one does it',
    async () => {
      await expected()
      const tmpfs = mkdtempSync(join(tmpdir(), 'heddle-small-'))
      expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', tmpfs]).status).toBe(0)
      onTestFinished(async () => {
        await yard.end()
        spawnSync('umount', [tmpfs])
        rmSync(tmpfs, { recursive: true, force: true })
      })
      const cwd = join(tmpfs, 'there')
      spawnSync('cp', ['-r', project!.here, cwd])
      rmSync(join(cwd, '.heddle'), { recursive: true, force: true })
      const full = worker(nats!.url, [], cwd)
      const asker = ask(nats!.url)
      await full.says(/Works for run/)
      writeFileSync(join(tmpfs, 'fill'), Buffer.alloc(3_500_000))
      await full.says(/An item was given back: the disk is full here\./)
      worker(nats!.url)
      await timed('full disk at a worker', asker, () => ({ givenBack: full.said.split('given back').length - 1 }))
    },
  )

  test('a worker that stands still for longer than its silence is allowed: its item is done by another one, and counted once', async () => {
    await expected()
    // It has an item nearly all the time.
    const still = yard.start(project!.copy(), ['worker', '--queue', nats!.url, '--allow', './order', '--before-each', 'sleep 1'])
    const asker = ask(nats!.url, 2)
    await still.says(/Works for run/)
    await sleep(1000)
    still.kill('SIGSTOP')
    const other = worker(nats!.url)
    await other.says(/Takes an item that one worker had before/)
    still.kill('SIGCONT')
    // Both make it now. Whichever is first counts.
    await timed('slow worker', asker)
  })

  test('an item that ends every worker is given up after three, and the result says so', async () => {
    const poisoned = orders(3)
    try {
      // A worker that ends with every item: it is killed as soon as it has one.
      const cwd = poisoned.copy()
      const asker = yard.start(poisoned.here, [
        'check',
        '--queue',
        nats!.url,
        '--queue-silence',
        '1',
        '--depth',
        '1',
        '--replays',
        '3',
        '--time',
        '300',
        '--',
        './order',
      ])
      const killed = (async () => {
        for (let deaths = 0; deaths < 40 && asker.child.exitCode === null; deaths++) {
          const one = yard.start(cwd, [
            'worker',
            '--queue',
            nats!.url,
            '--allow',
            './order',
            '--idle',
            '5',
            '--before-each',
            'kill -9 $PPID; sleep 5',
          ])
          await one.ended
        }
      })()
      const { code, out, err } = await asker.ended
      await killed
      expect(code, out + err).toBe(2)
      expect(err).toMatch(/given up/)
      expect(out.replaceAll(/\s+/g, ' ')).toMatch(
        /replays? (was|were) given up, so (its outcome is|their outcomes are) not known: it ended 3 workers\./,
      )
      keep('poisoned items', { sum: sumOf({ code, out, err, signal: null }) })
    } finally {
      await yard.end()
      poisoned.end()
    }
  })

  test(`${KILLS} workers are killed at random moments`, async () => {
    const same = await expected()
    const random = new Random(27)
    let [kills, runs, again] = [0, 0, 0]
    const start = performance.now()
    const isAtWork = ({ said }: Started): boolean => said.includes('Works for run')
    while (kills < KILLS) {
      const workers = Array.from({ length: 4 }, () => worker(nats!.url))
      const asker = ask(nats!.url)
      let over = false
      void asker.ended.then(() => (over = true))
      while (!over && kills < KILLS) {
        await sleep(random.below(1500))
        const nth = random.below(workers.length)
        // One that has not begun has nothing to lose. An item that ended three would be given up, which is right, and not what is asked here.
        if (over || !isAtWork(workers[nth]!) || /2 workers had before[^\n]*\n$/.test(workers[nth]!.said)) continue
        workers[nth]!.kill('SIGKILL')
        kills++
        workers[nth] = worker(nats!.url)
      }
      const ended = await asker.ended
      expect(await told(ended), ended.err).toEqual(same)
      again += Number(/(\d+) given out again/.exec(ended.err)?.[1] ?? 0)
      runs++
      for (const one of workers) one.kill('SIGTERM')
      await Promise.all(workers.map((one) => one.ended))
    }
    keep('kill -9 of workers', { kills, runs, again, lost: 0, seconds: Math.round((performance.now() - start) / 1000) })
  })
})
