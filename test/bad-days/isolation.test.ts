/** Replays start from the files of the recorded run, and leave nothing behind; where that cannot be had, the report says so. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
const CONFIRM = sized(2, 8)

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
function expectOnlyTheRecordedRun(): void {
  expect(readdirSync(dir).sort()).toEqual(['.heddle', 'appended', 'changes.cjs', 'database', 'folder', 'link', 'made', 'new-name'])
  expect(readFileSync(join(dir, 'appended'), 'utf8')).toBe('a\nmore\n')
  expect(readFileSync(join(dir, 'database')).readUInt32LE(0)).toBe(1)
  expect(readdirSync(join(dir, '.heddle/runs')).flatMap((run) => readdirSync(join(dir, '.heddle/runs', run)))).not.toContain('files')
}

beforeEach(reset)

describe.skipIf(skipped !== '')(`views${skipped}`, () => {
  test('replays of a program that deletes, renames and appends start from the same bytes', () => {
    const { code, text, starts } = check(['--confirm', String(CONFIRM), '--replays', '10'])
    expect(text).toContain(`FAILED ${CONFIRM} of ${CONFIRM} replays`)
    expect(code).toBe(1)
    expect(starts.length).toBe(3 + CONFIRM)
    expect(new Set(starts).size).toBe(1)
    expectOnlyTheRecordedRun()
  })

  test('with a network of its own a fixed port is free each time, and replays may run side by side', async () => {
    const server = createServer()
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    )
    try {
      writeFileSync(join(dir, 'changes.cjs'), CHANGES + LISTENS.replace('PORT', String(port)) + RACE)
      // The port is taken outside.
      const { text, starts } = check(['--confirm', String(CONFIRM), '--replays', '10', '--isolate', 'files,network'])
      expect(text).toContain(`FAILED ${CONFIRM} of ${CONFIRM} replays`)
      expect(new Set(starts).size).toBe(1)
      expectOnlyTheRecordedRun()
    } finally {
      server.close()
    }
  })

  test('a program that does not work in a view is replayed without one, unless somebody asked for views', () => {
    const picky = `if (require('fs').readFileSync('/proc/self/mountinfo', 'utf8').includes('/view/0/upper')) throw new Error('not in a view')\n${RACE}`
    writeFileSync(join(dir, 'changes.cjs'), picky)
    const words = ({ text }: Checked): string => text.replaceAll(/\s+/g, ' ')
    const without = check(['--replays', '8'])
    expect(words(without)).toMatch(
      /FAILED 3 of 3 replays.*Replays worked on the real files: with files of its own the program ended differently/,
    )
    expect(words(check(['--replays', '4', '--isolate', 'files']))).toMatch(/not in a view.*So nothing is called FAILED/)
  })

  test.skipIf(process.getuid?.() !== 0)(`folders can be renamed in a view${process.getuid?.() === 0 ? '' : ' (skipped: not root)'}`, () => {
    writeFileSync(join(dir, 'changes.cjs'), `require('fs').renameSync('tree', 'moved')\n${RACE}`)
    expect(check(['--replays', '8']).text).toMatch(/FAILED 3 of 3 replays/)
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
  const { text, starts } = check(['--isolate', 'none', '--replays', '4'])
  expect(text).toMatch(/no such file or directory, unlink 'deleted'/)
  expect(new Set(starts).size).toBeGreaterThan(1)
  expect(check(['--isolate', 'none,files']).code).toBe(2)
})

test('without views, what the recorded run changed is put back before each replay, and what it left at the end', () => {
  const { text, starts } = check(['--replays', '4', '--confirm', '2'], 'changes.cjs', { HEDDLE_NAMESPACES: 'off' })
  expect(text.replaceAll(/\s+/g, ' ')).toContain('What the recorded run changed in this folder was put back before each replay.')
  expect(text).toMatch(/FAILED 2 of 2 replays/)
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

test('a run that fails after it changed files is not repeated', () => {
  writeFileSync(join(dir, 'changes.cjs'), `${CHANGES}setTimeout(() => setTimeout(() => { throw new Error('always') }, 2), 2)\n`)
  const { code, text, starts } = check([])
  expect(text).toMatch(/The recorded run failed: exit code 1 \(Error: always\)/)
  expect(code).toBe(2)
  if (skipped === '') expect(starts.length).toBe(1)
})

test('hooks run around the recorded run and every replay, and a failing one ends the check', () => {
  writeFileSync(join(dir, 'changes.cjs'), `require('fs').appendFileSync('.heddle/order', 'run ')\n${RACE}`)
  const order = (): string => readFileSync(join(dir, '.heddle/order'), 'utf8').trim()
  const hooks = ['--before-each', 'printf "before " >> .heddle/order', '--after-each', 'printf "after " >> .heddle/order']
  const { code } = check(['--confirm', '2', '--replays', '4', ...hooks])
  expect(code).toBe(1)
  expect(order()).toMatch(/^(before run after ?){5}$/)
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
