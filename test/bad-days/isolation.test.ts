/** Replays start from the files of the recorded run, and leave nothing behind; where that cannot be had, the report says so. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Database } from 'node-sqlite3-wasm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { Before } from '../../src/isolate/start-state.ts'
import { possible } from '../../src/isolate/possible.ts'
import { BIN } from '../cli/run.ts'
import { ALL, sized } from '../layer.ts'

const dir = mkdtempSync(join(tmpdir(), 'heddle-isolation-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const skipped = possible().files && possible().network ? '' : ' (skipped: no namespaces here)'

/** A check-then-act race, so that there is something to replay. */
const RACE = `let seats = 1
const buy = async () => { if (seats > 0) { await new Promise((resolve) => setTimeout(resolve, 1)); seats-- } }
setTimeout(() => buy(), 1)
setTimeout(() => buy().then(() => { if (seats < 0) throw new Error('oversold') }), 400)
`
/** Says in .heddle, which is real, what it starts from: names, types, modes and bytes of every file. Then it changes everything it can. */
const CHANGES = `const fs = require('fs'), path = require('path'), os = require('os')
const all = (folder) => fs.readdirSync(folder, { withFileTypes: true }).filter((e) => e.name !== '.heddle').sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((e) => {
  const at = path.join(folder, e.name)
  return [e.name, fs.lstatSync(at).mode, ...(e.isDirectory() ? all(at) : e.isSymbolicLink() ? [fs.readlinkSync(at)] : [fs.readFileSync(at, 'latin1')])]
})
const left = path.join(os.tmpdir(), 'left-behind-' + path.basename(__dirname))
fs.appendFileSync('.heddle/starts', JSON.stringify([all('.'), fs.existsSync(left)]) + '\\n')
fs.unlinkSync('deleted')
fs.renameSync('old-name', 'new-name')
fs.appendFileSync('appended', 'more\\n')
fs.rmSync('tree', { recursive: true })
fs.mkdirSync('made/deep', { recursive: true })
fs.writeFileSync('made/deep/file', 'new')
fs.rmSync('folder', { recursive: true })
fs.writeFileSync('folder', 'now a file')
fs.unlinkSync('link')
fs.symlinkSync('made', 'link')
fs.writeFileSync(left, 'x')
const page = Buffer.alloc(4096)
const database = fs.openSync('database', 'r+')
fs.readSync(database, page, 0, 4096, 0)
page.writeUInt32LE(page.readUInt32LE(0) + 1, 0)
fs.writeSync(database, page, 0, 4096, 0)
fs.writeSync(database, page, 0, 4096, 4096)
`
/** An update of a row, by SQLite itself. */
const DATABASE = `const { Database } = require(${JSON.stringify(createRequire(import.meta.url).resolve('node-sqlite3-wasm'))})
const shop = new Database('shop.db')
shop.exec('update stock set left = left - 1')
if (shop.get('select left from stock').left !== 41) throw new Error('not the database of the recorded run')
shop.close()
`
/** Says when it comes and goes. Of those after the recorded run and two plain replays the first four wait for each other. */
const MEETS = `fs.appendFileSync('.heddle/comes', 'x')
const coming = () => fs.statSync('.heddle/comes').size
for (let i = 0; coming() > 3 && coming() < 7 && i < 160; i++) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
process.on('exit', () => fs.appendFileSync('.heddle/met', String(coming()) + ' '))
`
/** With two without delays: ten replays, where everything runs. */
const RACES = sized(4, 8)
/** Several, each with places and a failure of its own: as many things to replay side by side. */
const races = (count: number): string =>
  Array.from({ length: count }, (_, i) =>
    RACE.replaceAll('seats', `seats${i}`).replaceAll('buy', `buy${i}`).replace('oversold', `oversold ${i}`),
  ).join('')
const LISTENS = `require('net').createServer().listen(PORT, '127.0.0.1', function () { setTimeout(() => this.close(), 450) })
`

function reset(): void {
  rmSync(dir, { recursive: true, force: true })
  rmSync(join(tmpdir(), `left-behind-${dir.split('/').at(-1)}`), { force: true })
  const made = spawnSync(
    'sh',
    [
      '-c',
      'mkdir -p "$0/tree/deep" "$0/folder" && cd "$0" && echo d > deleted && echo o > old-name && echo a > appended && echo t > tree/deep/leaf && ln -s deleted link && head -c 8192 /dev/zero > database && chmod 600 database',
      dir,
    ],
    { stdio: 'ignore' },
  )
  expect(made.status).toBe(0)
  writeFileSync(join(dir, 'changes.cjs'), CHANGES + RACE)
}

/** With two without delays: ten replays in all, where everything runs. */
const CONFIRM = 8

interface Checked {
  readonly code: number | null
  readonly text: string
  readonly starts: readonly string[]
}

function check(options: readonly string[], file = 'changes.cjs', env: NodeJS.ProcessEnv = {}): Checked {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'check', '--time', '120', ...options, '--', 'node', file], {
    cwd: dir,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  const starts = join(dir, '.heddle/starts')
  return { code: status, text: stdout + stderr, starts: existsSync(starts) ? readFileSync(starts, 'utf8').trim().split('\n') : [] }
}

/** What the recorded run left is there, and nothing else. */
function expectOnlyTheRecordedRun(...more: string[]): void {
  const names = ['.heddle', 'appended', 'changes.cjs', 'database', 'folder', 'link', 'made', 'new-name', ...more]
  expect(readdirSync(dir).sort()).toEqual(names)
  expect(readFileSync(join(dir, 'appended'), 'utf8')).toBe('a\nmore\n')
  expect(readFileSync(join(dir, 'database')).readUInt32LE(0)).toBe(1)
  expect(readdirSync(join(dir, '.heddle/runs')).flatMap((run) => readdirSync(join(dir, '.heddle/runs', run)))).not.toContain('files')
}

beforeEach(reset)

describe.skipIf(skipped !== '')(`views${skipped}`, () => {
  test.runIf(ALL)('replays of a program that deletes, renames and appends start from the same bytes', () => {
    const { code, text, starts } = check(['--confirm', String(CONFIRM), '--replays', '10'])
    expect(text).toContain(`FAILED ${CONFIRM} of ${CONFIRM} replays`)
    expect(code).toBe(1)
    expect(starts.length).toBe(3 + CONFIRM)
    expect(new Set(starts).size).toBe(1)
    expectOnlyTheRecordedRun()
  })

  test('ten replays, four at a time, of a program that deletes, renames, appends, listens and writes to SQLite start from the same bytes', async () => {
    const server = createServer()
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    )
    try {
      const database = new Database(join(dir, 'shop.db'))
      database.exec('create table stock (left integer); insert into stock values (42)')
      database.close()
      writeFileSync(join(dir, 'changes.cjs'), CHANGES + MEETS + DATABASE + LISTENS.replace('PORT', String(port)) + races(RACES))
      // The port is taken outside.
      const { text, starts } = check([
        '--confirm',
        '1',
        '--max-findings',
        '9',
        '--replays',
        '10',
        '--isolate',
        'files,network',
        '--at-once',
        '4',
      ])
      expect(text).toContain(`FAILED 1 of 1 replay`)
      // The recorded run, two without delays, and some to look for the cause.
      expect(starts.length).toBeGreaterThanOrEqual(4 + RACES)
      expect(new Set(starts).size).toBe(1)
      // When the first of them ended the other three were there.
      expect(readFileSync(join(dir, '.heddle/met'), 'utf8').split(' ')[3]).toBe('7')
      expectOnlyTheRecordedRun('shop.db')
    } finally {
      server.close()
    }
  })

  test('a program that does not work in a view is replayed without one, unless somebody asked for views', () => {
    const picky = `if (require('fs').readFileSync('/proc/self/mountinfo', 'utf8').includes('/view/0/upper')) throw new Error('not in a view')\n${RACE}`
    writeFileSync(join(dir, 'changes.cjs'), picky)
    const words = ({ text }: Checked): string => text.replaceAll(/\s+/g, ' ')
    const without = check(['--replays', '12', '--confirm', '1'])
    expect(words(without)).toMatch(
      /FAILED 1 of 1 replay.*Replays used the real files, because with private files the program ended differently/,
    )
    expect(words(check(['--replays', '2', '--isolate', 'files']))).toMatch(/not in a view.*So nothing is called FAILED/)
  })

  test('a server on a Unix socket, in a folder that replays have of their own, answers in a view', async () => {
    const socket = join(dir, 'server.sock')
    const server = spawn(process.execPath, [
      '-e',
      `require('net').createServer((client) => client.end('hello')).listen(${JSON.stringify(socket)}, () => console.log('listens'))`,
    ])
    try {
      await once(server.stdout, 'data')
      const asks = `require('net').connect('server.sock').on('data', (data) => { if (String(data) !== 'hello') throw new Error(String(data)) })\n`
      writeFileSync(join(dir, 'changes.cjs'), asks + RACE)
      const { text } = check(['--replays', '3', '--confirm', '1'])
      expect(text).toMatch(/FAILED 1 of 1 replay/)
      expect(text).not.toMatch(/real files|without any delay/)
    } finally {
      server.kill()
    }
  })

  test.skipIf(process.getuid?.() !== 0)(`folders can be renamed in a view${process.getuid?.() === 0 ? '' : ' (skipped: not root)'}`, () => {
    writeFileSync(join(dir, 'changes.cjs'), `require('fs').renameSync('tree', 'moved')\n${RACE}`)
    expect(check(['--replays', '4', '--confirm', '1']).text).toMatch(/FAILED 1 of 1 replay/)
  })

  test.runIf(ALL)('heddle replay leaves nothing behind, too', () => {
    writeFileSync(join(dir, 'changes.cjs'), RACE + `require('fs').appendFileSync('appended', 'x')\n`)
    check(['--replays', '10'])
    const id = readdirSync(join(dir, '.heddle/schedules'))[0]!.replace('.json', '')
    const before = readFileSync(join(dir, 'appended'), 'utf8')
    const ran = spawnSync(process.execPath, [BIN, 'replay', id], { cwd: dir, encoding: 'utf8' })
    expect(ran.stdout).toMatch(/replay 3: failed/)
    expect(readFileSync(join(dir, 'appended'), 'utf8')).toBe(before)
  })
})

test('--isolate none: replays work on the real files', () => {
  const { text, starts } = check(['--isolate', 'none', '--replays', '2'])
  expect(text).toMatch(/no\ssuch\sfile\sor\sdirectory,\sunlink\s'deleted'/)
  expect(new Set(starts).size).toBeGreaterThan(1)
  expect(check(['--isolate', 'none,files']).code).toBe(2)
})

test('without views, replays run one at a time; what the recorded run changed is put back before each, and what it left at the end', () => {
  const order = `fs.appendFileSync('.heddle/order', 'comes ')\nprocess.on('exit', () => fs.appendFileSync('.heddle/order', 'goes '))\n`
  writeFileSync(join(dir, 'changes.cjs'), CHANGES + order + races(2))
  const options = ['--replays', '4', '--confirm', '1', '--max-findings', '9', '--at-once', '4']
  const { text, starts } = check(options, 'changes.cjs', { HEDDLE_NAMESPACES: 'off' })
  expect(text.replaceAll(/\s+/g, ' ')).toContain('What the recorded run changed in this folder was put back before each replay.')
  expect(text).toMatch(/FAILED 1 of 1 replay/)
  // They would meet.
  expect(readFileSync(join(dir, '.heddle/order'), 'utf8')).toBe('comes goes '.repeat(5))
  // Temporary folders are not put back.
  expect(new Set(starts.map((start) => JSON.stringify(JSON.parse(start)[0]))).size).toBe(1)
  expectOnlyTheRecordedRun()
})

test.runIf(ALL)('where there are no namespaces the report says so', () => {
  writeFileSync(join(dir, 'changes.cjs'), RACE)
  const { text, code } = check([], 'changes.cjs', { HEDDLE_NAMESPACES: 'off' })
  expect(text.replaceAll(/\s+/g, ' ')).toContain('Note: Replays work on the real files: HEDDLE_NAMESPACES is off.')
  expect(code).toBe(1)
  const network = check(['--isolate', 'network'], 'changes.cjs', { HEDDLE_NAMESPACES: 'off' })
  expect(network.text.replaceAll(/\s+/g, ' ')).toContain('Note: The program has the real network')
})

test('a run that fails after it changed files is repeated from the files that it started from', () => {
  writeFileSync(join(dir, 'changes.cjs'), `${CHANGES}setTimeout(() => setTimeout(() => { throw new Error('always') }, 2), 2)\n`)
  const { code, text, starts } = check([])
  expect(text).toMatch(/The recorded run failed: exit code 1 \(Error: always\)/)
  expect(code).toBe(2)
  if (skipped === '') expect(starts.length).toBeGreaterThan(1)
  if (skipped === '') expect(new Set(starts).size).toBe(1)
})

test('hooks run around the recorded run and every replay, and a failing one ends the check', () => {
  writeFileSync(join(dir, 'changes.cjs'), `require('fs').appendFileSync('.heddle/order', 'run ')\n${RACE}`)
  const order = (): string => readFileSync(join(dir, '.heddle/order'), 'utf8').trim()
  const hooks = ['--before-each', 'printf "before " >> .heddle/order', '--after-each', 'printf "after " >> .heddle/order']
  const { code } = check(['--confirm', '1', '--replays', '3', ...hooks])
  expect(code).toBe(1)
  expect(order()).toMatch(/^(before run after ?){4}$/)
  const failed = check(['--before-each', 'exit 3'])
  expect(failed.text).toMatch(/heddle: The command of --before-each failed: "exit 3", exit code 3\. Run it by itself/)
  expect(failed.code).toBe(2)
})

test('the state before a run is what the run changed, and no more', () => {
  const place = join(dir, '.heddle')
  spawnSync('mkdir', [place])
  const before = new Before(dir, place)
  expect(before.isUntouched()).toBe(true)
  writeFileSync(join(dir, 'appended'), 'changed')
  writeFileSync(join(dir, 'new'), '')
  rmSync(join(dir, 'tree'), { recursive: true })
  expect(before.isUntouched()).toBe(false)
  const { saved, created, unkept } = before.changes()
  expect(readdirSync(saved!, { recursive: true }).sort()).toEqual(['appended', 'tree', 'tree/deep', 'tree/deep/leaf'])
  expect(readFileSync(join(saved!, 'appended'), 'utf8')).toBe('a\n')
  expect(readFileSync(created!, 'utf8').split('\0').filter(Boolean).sort()).toEqual(['appended', 'new'])
  expect(unkept).toEqual([])
})
