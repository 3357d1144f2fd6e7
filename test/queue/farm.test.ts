/** Checks and tests whose replays are made by workers: the same result as in one process, in small. farm.all.test.ts has more workers, and faults. */
import { spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { runningCheck } from '../../src/store/progress-file.ts'
import { cannot as cannotNative } from '../programs/native.ts'
import { orders, shop, tickets, toldIn, type Project, type Told } from './projects.ts'
import { cannot, freePort, Nats, Yard, type Ended } from './server.ts'

const nats = cannot === '' ? await Nats.start() : undefined
let yard = new Yard()
const projects: Project[] = []
afterEach(async () => {
  await yard.end()
  yard = new Yard()
})
afterAll(async () => {
  for (const project of projects) project.end()
  await nats?.end()
})
const kept = (project: Project): Project => {
  projects.push(project)
  return project
}

async function check(cwd: string, ...words: string[]): Promise<Told> {
  const { code, out, err } = await yard.start(cwd, ['check', '--json', '--time', '300', ...words]).ended
  if (out === '') throw new Error(err)
  return toldIn(code, out)
}

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

describe.skipIf(cannot !== '')(`workers ${cannot}`, () => {
  test('a finding of a Node program is the same, made by workers of another folder', async () => {
    const project = kept(tickets())
    const alone = await check(project.here, '--', 'node', 'tickets.js')
    expect(alone).toMatchObject({ code: 1, findings: [expect.any(String)] })
    for (let i = 0; i < 2; i++) yard.worker(project.copy(), nats!.url, 'node *.js')
    expect(await check(project.copy(), '--queue', nats!.url, '--', 'node', 'tickets.js')).toEqual(alone)
  })

  test.skipIf(cannotNative !== '')('all classes of a C program are run, and it can be interrupted and resumed', async () => {
    const project = kept(orders(3))
    const alone = await check(project.here, '--exhaustive', '--', './order')
    expect(alone).toMatchObject({ code: 0, classes: 6 })
    const worker = yard.worker(project.copy(), nats!.url, './order')
    const asker = yard.start(project.here, ['check', '--queue', nats!.url, '--exhaustive', '--time', '300', '--', './order'])
    await worker.says(/Works for run/)
    asker.kill('SIGINT')
    const { code, err } = await asker.ended
    expect(code, err).toBe(130)
    const [, run] = /--resume ([a-z0-9]+)/.exec(err) ?? []
    expect(run, err).toBeDefined()
    expect(await check(project.here, '--queue', nats!.url, '--resume', run!)).toEqual(alone)
    // The run is over, and nothing of it is left.
    const again = await yard.start(project.here, ['check', '--queue', nats!.url, '--resume', run!]).ended
    expect(again).toMatchObject({
      code: 2,
      err: `heddle: The queue knows no run "${run}". It has ended, or was never there: see what \`heddle check --queue\` said when it was interrupted\n`,
    })
    worker.kill('SIGINT')
    const ended = await worker.ended
    expect(ended.code).toBe(0)
    expect(ended.out).toMatch(/Done: \d+ items?\.\n$/)
    const children = spawnSync('pgrep', ['-P', String(worker.child.pid)], { encoding: 'utf8' }).stdout
    expect(children).toBe('')
    expect(isGone(worker.child.pid!)).toBe(true)
  })

  test('test files are run by workers, and the shards of the same tests say the same', async () => {
    const project = kept(shop(3))
    const options = ['--replays', '4', '--confirm', '1']
    yard.worker(project.copy(), nats!.url, 'node --test **')
    const far = yard.start(project.here, ['test', '--queue', nats!.url, ...options, '--report', 'far.json', '--', 'node', '--test'])
    // What the page of `heddle open` shows.
    const seen = new Set<string>()
    while (far.child.exitCode === null) {
      seen.add(runningCheck(join(project.here, '.heddle'))?.text ?? '')
      await sleep(100)
    }
    expect([...seen].join('\n')).toMatch(/^\d of 3 test files, 1 worker, \d+\.\d items\/s/m)
    const { code, err } = await far.ended
    expect(err).toMatch(/^Heddle: 3 tests analysed, 2 replayed; 2 failures confirmed\.$/m)
    expect(err).toMatch(/not ok 1 - t0 sells the last ticket once[^]*check-then-act on left\.json/)
    expect(code).toBe(1)
    for (const nth of ['1', '2']) {
      const shard = await yard.start(project.here, [
        'test',
        '--shard',
        `${nth}/2`,
        '--out',
        `part${nth}.heddle`,
        ...options,
        '--',
        'node',
        '--test',
      ]).ended
      expect(shard.code, shard.err).toBe(nth === '1' ? 1 : 0)
    }
    const merged = await yard.start(project.here, ['merge', 'part2.heddle', 'part1.heddle', '--to', 'near.json']).ended
    expect(merged).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Heddle: 3 tests analysed, 2 replayed; 2 failures confirmed\.\n {2}FAILED /),
    })
    const json = (name: string): Told => toldIn(0, spawnSync('cat', [join(project.here, name)], { encoding: 'utf8' }).stdout)
    expect(json('near.json').findings).toEqual(json('far.json').findings)
    const missing = await yard.start(project.here, ['merge', 'part1.heddle']).ended
    expect(missing).toMatchObject({ code: 2, out: expect.stringContaining('Missing: shard 2 of 2.') })
  })

  test('a program that differs, and a command that is not allowed, are left to others with a sentence', async () => {
    const project = kept(tickets())
    const other = project.copy()
    writeFileSync(join(other, 'more.js'), '')
    const differs = yard.worker(other, nats!.url, 'node *.js')
    const refuses = yard.worker(project.copy(), nats!.url, 'node --test **')
    const asker = yard.start(project.here, ['check', '--queue', nats!.url, '--time', '2', '--', 'node', 'tickets.js'])
    await differs.says(/Run [a-z0-9]+ is left to others: the files of the program are others: more\.js \(only here\)\./)
    await refuses.says(/is left to others: this worker does not allow its command, "node tickets\.js": see --allow\./)
    const { code, err } = await asker.ended
    expect(code).toBe(2)
    expect(err).toMatch(/heddle: No worker connected to nats:\/\/127\.0\.0\.1:\d+\. Start some with `heddle worker .*--resume [a-z0-9]+/)
  })
})

async function refused(url: string, ...more: string[]): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-refused-'))
  try {
    return await yard.start(folder, ['worker', '--queue', url, '--allow', 'node app.js', '--idle', '1', ...more]).ended
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A server that says what it is, and no more. */
async function fake(version: string): Promise<{ readonly url: string; readonly server: Server }> {
  const info = JSON.stringify({
    server_id: 'X',
    version,
    proto: 1,
    max_payload: 1 << 20,
    headers: true,
    jetstream: true,
    host: '127.0.0.1',
    port: 4222,
  })
  const server = createServer((socket) => {
    socket.write(`INFO ${info}\r\n`)
    socket.on('data', (piece) => piece.includes('PING') && socket.write('PONG\r\n'))
    socket.on('error', () => undefined)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { url: `nats://127.0.0.1:${port}`, server }
}

describe('bad input is a sentence and exit code 2', () => {
  test('no address, a wrong one, and one where nobody listens', async () => {
    expect((await refused('http://x')).err).toBe(
      'heddle: "http://x" is no address of a queue. Give one like nats://host:4222, or tls://host:4222\n',
    )
    const { code, err } = await refused(`nats://127.0.0.1:${await freePort()}`)
    expect(code).toBe(2)
    expect(err).toMatch(
      /^heddle: No NATS server answers at nats:\/\/127\.0\.0\.1:\d+: .*refused.*\. Start one with `nats-server -js`, or correct the address\n$/i,
    )
    const none = await yard.start(tmpdir(), ['worker']).ended
    expect(none).toMatchObject({ code: 2, err: 'heddle: No queue was named. Say where it is: heddle worker --queue nats://host:4222\n' })
    const resume = await yard.start(tmpdir(), ['check', '--resume', 'abcdef']).ended
    expect(resume).toMatchObject({ code: 2, err: expect.stringContaining('--resume goes on with a run on a queue') })
    const shard = await yard.start(tmpdir(), ['test', '--shard', '9/8', '--', 'node', '--test']).ended
    expect(shard).toMatchObject({ code: 2, err: expect.stringContaining('"9/8" is not a shard') })
  })

  test('a file that holds no credentials is refused', async () => {
    const { code, err } = await refused('nats://127.0.0.1:1', '--queue-creds', '/etc/hostname')
    expect(code).toBe(2)
    expect(err).toBe(
      'heddle: The credentials "/etc/hostname" cannot be used: it has no NATS USER JWT. Give a file that `nsc` or your NATS operator made\n',
    )
  })

  test('an old server is refused with its version', async () => {
    const { url, server } = await fake('2.1.9')
    const { code, err } = await refused(url)
    server.close()
    expect(code).toBe(2)
    expect(err).toBe(`heddle: The NATS server at ${url} is version "2.1.9". Version 2.9 or newer is needed\n`)
  })

  test.skipIf(cannot !== '')(`no JetStream ${cannot}`, async () => {
    const plain = await Nats.start([])
    const { code, err } = await refused(plain.url)
    await plain.end()
    expect(code).toBe(2)
    expect(err).toBe(
      `heddle: The NATS server at ${plain.url} has no JetStream. Start it with \`nats-server -js\`, or enable it for this account\n`,
    )
  })

  test.skipIf(cannot !== '')(`a user that is not known, and one that may not use it ${cannot}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-nats-config-'))
    const config = join(folder, 'nats.conf')
    writeFileSync(
      config,
      `jetstream: enabled
authorization { users: [
  { user: all, password: secret }
  { user: none, password: secret, permissions: { publish: ["heddle.>"], subscribe: ["_INBOX.>"] } }
] }
`,
    )
    const closed = await Nats.start(['-js', '-c', config])
    onTestFinished(async () => {
      await closed.end()
      rmSync(folder, { recursive: true, force: true })
    })
    const as = (user: string): string => closed.url.replace('nats://', `nats://${user}@`)
    const unknown = await refused(as('who:secret'))
    expect(unknown).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^heddle: The NATS server at .* refuses this user: .*\. Give credentials with --queue-creds FILE/),
    })
    expect(unknown.err).not.toContain('secret')
    const weak = await refused(as('none:secret'))
    expect(weak).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^heddle: This user may not use JetStream on .*: .*\. Allow it to publish/),
    })
    expect(await refused(as('all:secret'))).toMatchObject({ code: 0, err: '' })
  })
})
