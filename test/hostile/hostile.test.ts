/**
 * Heddle on somebody else's repository: every command, on every attack by itself and on all at once. Nothing outside the checkout changes, nothing is run that
 * nobody asked for, no control character reaches the terminal, and no crash. SECURITY.md names these tests.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { BIN, type Ran } from '../cli/run.ts'
import { isMarked } from '../../src/store/own-folder.ts'
import { ALL, sized } from '../layer.ts'
import { ATTACKS, LINKS, remove, repository, schedule, stateOf, type Hostile } from './repository.ts'

let at: Hostile
afterEach(() => remove(at))

const envOf = ({ home }: Hostile): NodeJS.ProcessEnv => ({
  ...process.env,
  HOME: home,
  XDG_CACHE_HOME: undefined,
  XDG_STATE_HOME: undefined,
  NO_COLOR: '1',
  FORCE_COLOR: undefined,
  GITHUB_ACTIONS: undefined,
  HEDDLE_DEBUG: '',
  CI: '',
})

function heddle(...words: string[]): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...words], {
    cwd: at.project,
    env: envOf(at),
    encoding: 'utf8',
    timeout: 300_000,
    maxBuffer: 1 << 28,
  })
  const ran = { code: status, out: stdout, err: stderr }
  safe(ran)
  return ran
}

/** Neither a crash nor anything a terminal would obey. */
function safe({ out, err }: Ran): void {
  expect(err).not.toMatch(/mistake in Heddle|node:internal|TypeError/)
  // oxlint-disable-next-line no-control-regex
  expect(`${out}${err}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
}

/** `heddle open` says where the report is, or refuses; it is ended then. */
function open(): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, 'open', '--browser', 'off'], { cwd: at.project, env: envOf(at) })
    let [out, err] = ['', '']
    child.stdout.on('data', (piece: Buffer) => {
      out += piece.toString()
      if (out.includes('Ctrl-C')) child.kill('SIGINT')
    })
    child.stderr.on('data', (piece: Buffer) => (err += piece.toString()))
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

/** What is around the project, without what Heddle itself keeps for its user. */
const outside = (): Record<string, string> => ({ ...stateOf(at.victim), ...stateOf(at.ran) })

describe('everything at once', () => {
  test.each([
    ...sized([], [['all files', Object.values(ATTACKS)] as const]),
    ['all files and links', [...Object.values(ATTACKS), ...Object.values(LINKS)]] as const,
  ])(
    '%s: check, test, replay, show, report and open touch nothing outside and run nothing unasked',
    async (_, attacks) => {
      at = repository(attacks)
      const before = outside()
      heddle('check', '--replays', '2', '--', 'node', 'seats.mjs')
      heddle('check', '--replays', '2', '--config', 'none', '--', 'node', 'seats.mjs')
      heddle('check', '--config', 'none', '--report', 'report.md', '--', 'node', 'fails.mjs')
      heddle('test', '--config', 'none', '--', 'node', '--test', 'seats.test.mjs')
      const names = sized(
        ['f00d', 'traversal', 'foreign.json'],
        ['abc123', 'f00d', 'beef', 'dead', 'traversal', 'escape1', 'escape2', 'huge', 'outside1', 'outside2', 'type0', 'foreign.json'],
      )
      for (const name of names) {
        expect(heddle('replay', name, '--runs', '1').code, name).toBe(2)
        heddle('show', name)
      }
      for (const to of sized(['html', 'perfetto.json'], ['html', 'sarif', 'xml', 'md', 'perfetto.json', 'json']))
        heddle('report', '--to', `new.${to}`)
      heddle('report', '--to', 'report.md')
      safe(await open())
      expect(outside()).toEqual(before)
      expect(readFileSync(join(at.project, 'package.json'), 'utf8')).toBe('{"name":"hostile","type":"module"}\n')
      expect(readdirSync(at.ran)).toEqual([])
    },
    300_000,
  )
})

describe('links', () => {
  test.each(Object.keys(LINKS).filter((name) => !name.includes('tests')))(
    '%s: refused with the name of the link, and nothing is deleted',
    (name) => {
      at = repository([LINKS[name]!])
      const before = outside()
      const ran = name.includes('last check')
        ? heddle('report', '--to', 'a.md')
        : heddle('check', '--replays', '2', '--', 'node', 'seats.mjs')
      expect(ran.err).toMatch(/\.heddle.*" is a link, and Heddle follows no links there\. Remove it/)
      expect(ran.code).toBe(2)
      expect(outside()).toEqual(before)
    },
  )

  test('the schedules of tests are a link: it is said, and nothing is written there', () => {
    at = repository([LINKS['the schedules of tests are a link']!])
    const before = outside()
    const ran = heddle('test', '--', 'node', '--test', 'seats.test.mjs')
    expect(ran.err).toMatch(/1 test analysed.*__schedules__" is a link/s)
    expect(ran.code).toBe(2)
    expect(outside()).toEqual(before)
  })

  test('a link to a .gitignore that is not there is refused, and nothing is made', () => {
    at = repository([ATTACKS['a link to a .gitignore']!])
    const before = outside()
    expect(heddle('check', '--replays', '2', '--', 'node', 'seats.mjs').err).toMatch(/\.gitignore" is a link/)
    expect(outside()).toEqual(before)
  })

  test.runIf(ALL)('a folder among the runs that Heddle did not make is not removed', () => {
    at = repository([])
    const runs = join(at.project, '.heddle/runs')
    for (let i = 0; i < 2; i++) heddle('check', '--replays', '0', '--config', 'none', '--', 'node', 'seats.mjs')
    spawnSync('cp', ['-r', `${at.victim}/.`, runs])
    symlinkSync(at.victim, join(runs, '20200101-000000-000-1'))
    for (let i = 0; i < 4; i++) expect(heddle('check', '--replays', '0', '--', 'node', 'seats.mjs').code).toBe(0)
    // Of its own it keeps five.
    expect(readdirSync(runs).filter((name) => isMarked(join(runs, name)))).toHaveLength(5)
    expect(readdirSync(runs).filter((name) => name.startsWith('2026010'))).toHaveLength(9)
    expect(existsSync(join(runs, '20200101-000000-000-1/precious'))).toBe(true)
  })
})

describe('fields', () => {
  test('a fingerprint that leads out of the folder replaces nothing', () => {
    at = repository([ATTACKS['a fingerprint that leads out of the folder']!])
    const before = outside()
    expect(heddle('check', '--replays', '4', '--confirm', '1', '--', 'node', 'seats.mjs').code).toBe(1)
    expect(heddle('replay', 'traversal').err).toMatch(/"fingerprint" is not an id \(1 to 64 letters, digits and dashes\)/)
    expect(readFileSync(join(at.project, 'package.json'), 'utf8')).toBe('{"name":"hostile","type":"module"}\n')
    expect(outside()).toEqual(before)
  })

  test('escape sequences do not reach the terminal', () => {
    at = repository([ATTACKS['escape sequences in every text']!])
    for (const words of [
      ['replay', 'escape1'],
      ['show', 'escape1'],
      ['replay', 'escape2'],
      ['show', 'escape2'],
      ['show', 'nothing'],
    ])
      heddle(...words)
    heddle('check', '--replays', '2', '--', 'node', 'seats.mjs')
  })

  test('wrong types and huge numbers: file, field, what was expected, and a remedy', () => {
    at = repository([ATTACKS['wrong types and huge numbers']!])
    for (const [i, field] of ['failure', 'replays', 'violation', 'run', 'status', 'count'].entries()) {
      const ran = heddle('replay', `type${i}`, '--yes')
      expect(ran.err).toMatch(new RegExp(`^heddle: ".*type${i}\\.json" holds no schedule: "${field}" is not .*\\. Give a file`))
      expect(ran.code).toBe(2)
    }
    expect(heddle('replay', 'huge', '--yes').err).toMatch(/"schedule\.horizon" is not a number from/)
  })

  test('a block that ends after a hundred million events is refused, in every format', () => {
    at = repository([ATTACKS['a result with huge blocks']!])
    for (const to of ['perfetto.json', 'html', 'json', 'md']) {
      const ran = heddle('report', '--to', `a.${to}`)
      expect(ran.err).toMatch(
        /"findings\[0\]\.picture\.observed\.blocks\[0\]" does not follow the one before it, or ends after the last event/,
      )
      expect(ran.code).toBe(2)
    }
  })

  test('a run outside .heddle is refused', () => {
    at = repository([ATTACKS['runs and inputs outside']!])
    for (const name of ['outside1', 'outside2'])
      expect(heddle('replay', name, '--yes').err).toMatch(/names the run .*, which is not in \.heddle\/runs of this folder/)
  })

  test('an input outside the folder of its run is refused', () => {
    at = repository([ATTACKS['a recording that says it was made here']!])
    const path = join(at.project, '.heddle/runs/20260101-000000-000-1/recording.json')
    const recording = JSON.parse(readFileSync(path, 'utf8')) as object
    for (const over of [{ input: join(at.victim, 'precious') }, { trace: '/etc/passwd' }]) {
      writeFileSync(path, JSON.stringify({ ...recording, ...over }))
      expect(heddle('replay', 'beef', '--yes').err).toMatch(/is not a recording: "(?:input|trace)" is not a file of its folder/)
    }
    expect(readdirSync(at.ran)).toEqual([])
  })

  test('a site that names a secret does not bring it into the report', () => {
    at = repository([ATTACKS['sites that name secrets']!])
    heddle('check', '--replays', '4', '--confirm', '1', '--report', 'a.json', '--report', 'a.html', '--', 'node', 'seats.mjs')
    for (const name of ['a.json', 'a.html']) expect(readFileSync(join(at.project, name), 'utf8')).not.toContain('a secret that nobody')
    expect(heddle('show', 'dead').out).not.toContain('a secret that nobody')
  })
})

describe('commands', () => {
  test('a foreign command is shown, and not run until the user permits it', () => {
    at = repository([ATTACKS['a schedule with a foreign command']!])
    for (const what of ['f00d', 'foreign.json']) {
      const ran = heddle('replay', what)
      expect(ran.out).toMatch(/\nCommand: node -e 'require\("?.*writeFileSync/s)
      expect(ran.err).toMatch(/was not recorded on this machine in .*say --yes, or give the same command after --/)
      expect(ran.code).toBe(2)
    }
    expect(heddle('replay', 'f00d', '--', 'node', 'other.js').err).toMatch(/The schedule is for .*, and not for "node other\.js"/)
    expect(readdirSync(at.ran)).toEqual([])
    heddle('replay', 'f00d', '--runs', '1', '--yes', '--isolate', 'none')
    expect(readdirSync(at.ran)).toEqual(['replayed'])
  })

  test('at a terminal heddle asks, and only a clear yes runs the command', () => {
    at = repository([ATTACKS['a schedule with a foreign command']!])
    const answer = (text: string): string => {
      const words = `'${process.execPath}' '${BIN}' replay f00d --runs 1 --isolate none`
      return spawnSync('script', ['-qec', words, '/dev/null'], { cwd: at.project, env: envOf(at), input: text, encoding: 'utf8' }).stdout
    }
    for (const text of sized(['yesterday\n'], ['\n', 'n\n', 'yesterday\n', '\x04'])) {
      expect(answer(text)).toMatch(/Run it\? \(y\/N\).*was not recorded on this machine/s)
      expect(readdirSync(at.ran)).toEqual([])
    }
    expect(answer('y\n')).toMatch(/Run it\? \(y\/N\).*replay 1/s)
    expect(readdirSync(at.ran)).toEqual(['replayed'])
  })

  test('a recording in the checkout does not count as made on this machine', () => {
    at = repository([ATTACKS['a recording that says it was made here']!])
    expect(heddle('replay', 'beef').err).toMatch(/was not recorded on this machine/)
    expect(readdirSync(at.ran)).toEqual([])
  })

  test('what was recorded here is replayed without asking; elsewhere, or with a word more, it is not', () => {
    at = repository([])
    heddle('check', '--replays', '0', '--', 'node', 'seats.mjs')
    const file = (name: string, command: readonly string[]): void =>
      writeFileSync(join(at.project, name), JSON.stringify(schedule(command, { delays: [] })))
    file('same.json', ['node', 'seats.mjs'])
    file('more.json', ['node', 'seats.mjs', '--extra'])
    expect(heddle('replay', 'same.json', '--runs', '1').code).toBe(0)
    expect(heddle('replay', 'more.json', '--runs', '1').code).toBe(2)
    expect(heddle('replay', 'more.json', '--runs', '1', '--', 'node', 'seats.mjs', '--extra').code).toBe(0)
    // Another folder is another project, and a home that others can write to says nothing.
    const state = join(at.home, '.local/state/heddle/commands')
    expect(readdirSync(state)).toHaveLength(1)
    spawnSync('chmod', ['777', state])
    expect(heddle('replay', 'same.json', '--runs', '1').code).toBe(2)
  })
})

describe('hooks', () => {
  test('a configuration in JSON cannot name a command', () => {
    at = repository([])
    writeFileSync(join(at.project, 'heddle.config.json'), JSON.stringify({ beforeEach: `touch ${join(at.ran, 'hook')}` }))
    const ran = heddle('check', '--replays', '1', '--', 'node', 'seats.mjs')
    expect(ran.err).toMatch(/names a command to run \(before-each\), and a JSON file is not code/)
    expect(ran.code).toBe(2)
    expect(readdirSync(at.ran)).toEqual([])
  })
})

describe('reports', () => {
  test('a configuration cannot name a report outside the project', () => {
    at = repository([ATTACKS['a configuration with a report elsewhere']!])
    const before = outside()
    for (const program of ['seats.mjs', 'fails.mjs']) {
      const ran = heddle('check', '--', 'node', program)
      expect(ran.err).toMatch(
        /heddle\.config\.json names the report ".*precious\.md", which is not in its folder\. .*--report on the command line/,
      )
      expect(ran.code).toBe(2)
    }
    expect(outside()).toEqual(before)
  })

  test('nor by a folder that is a link', () => {
    at = repository([])
    symlinkSync(at.victim, join(at.project, 'reports'))
    writeFileSync(join(at.project, 'heddle.config.json'), '{"report":"reports/precious.md"}')
    expect(heddle('check', '--', 'node', 'seats.mjs').err).toMatch(/which is not in its folder/)
    const before = outside()
    expect(heddle('check', '--config', 'none', '--report', 'reports/precious.md', '--', 'node', 'seats.mjs').err).toMatch(
      /by a link that leads out of this folder/,
    )
    expect(outside()).toEqual(before)
  })

  test('a report in the project that is a link out of it is not followed', () => {
    at = repository([ATTACKS['a report that is a link']!])
    const before = outside()
    expect(heddle('check', '--report', 'report.md', '--', 'node', 'seats.mjs').err).toMatch(
      /"report\.md" would be written to ".*precious\.md", by a link/,
    )
    expect(outside()).toEqual(before)
  })

  test('outside the project it is written when the command line says so, and a failed run deletes nothing', () => {
    at = repository([])
    const report = join(at.victim, 'precious.md')
    expect(heddle('check', '--report', report, '--', 'node', 'fails.mjs').code).toBe(2)
    expect(readFileSync(report, 'utf8')).toBe('theirs')
    heddle('check', '--replays', '0', '--report', report, '--', 'node', 'seats.mjs')
    expect(readFileSync(report, 'utf8')).toContain('### Heddle')
  })
})

test('schedules of tests that are none are said and lead to exit code 2, and the tests run', () => {
  at = repository([ATTACKS['schedules of tests']!])
  const before = outside()
  const ran = heddle('test', '--', 'node', '--test', 'seats.test.mjs')
  expect(ran.code).toBe(2)
  expect(ran.out).toMatch(/pass 1\n/)
  expect(ran.err).toMatch(/Schedule 1 of "takes a seat" .* cannot be used: "fingerprint" is not an id/)
  expect(outside()).toEqual(before)
})
