/**
 * A checkout of unknown origin, with every attack at once: made by this script when a test asks for it, so that nothing dangerous is in the repository itself. Each
 * attack is a function of its own; `repository` puts all of them, or those that are asked for, into a project that is otherwise in order.
 */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  lstatSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { documentJson } from '../../src/report/finding-json.ts'
import type { CheckDocument } from '../../src/report/document.ts'
import { SEATS } from '../check/program.ts'
import { sampleDocument } from '../html/sample-document.ts'

export interface Hostile {
  /** The checkout. */
  readonly project: string
  /** Everything around it, which nobody may touch: `victim` has files, `home` is the user's. */
  readonly around: string
  readonly victim: string
  readonly home: string
  /** What was run has left its name there. */
  readonly ran: string
}

type Attack = (at: Hostile) => void

const ESCAPE = '\u001b]0;owned\u0007\u001b[2J\u001b[31m'
const UNIT = { label: 'a', nth: 1 }

export const schedule = (command: readonly string[], over: object = {}): object => ({
  heddle: 2,
  command,
  timers: 'due',
  kind: 'delays',
  delays: [{ do: 'stall', after: 'x', ms: 1, note: `wait${ESCAPE}` }],
  horizon: 10,
  // oxlint-disable-next-line unicorn/no-thenable -- a name, not a method
  expect: { first: UNIT, then: UNIT },
  ...over,
})

const saved = (over: object, command: readonly string[] = ['node', 'seats.mjs']): string =>
  JSON.stringify({
    fingerprint: 'abc123',
    kind: 'atomicity',
    pattern: 'lost update',
    summary: 'It is lost.',
    schedule: schedule(command),
    ...over,
  })

function put(root: string, name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

function link(root: string, name: string, to: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  rmSync(join(root, name), { recursive: true, force: true })
  symlinkSync(to, join(root, name))
}

/** A program that says that it ran. */
const touches = ({ ran }: Hostile, name: string): readonly string[] => [
  'node',
  '-e',
  `require('node:fs').writeFileSync(${JSON.stringify(join(ran, name))}, '')`,
]

export function sample(): CheckDocument {
  return sampleDocument({ findings: 1, events: 20, seed: 3 })
}

/** By name. Those that change what `.heddle` is stand apart: after one of them the others are out of reach. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  'a fingerprint that leads out of the folder': ({ project }) => {
    put(project, '.heddle/schedules/traversal.json', saved({ fingerprint: '../../package' }))
    put(project, '.heddle/findings/traversal2.json', saved({ fingerprint: '../../../victim/precious' }))
  },
  'escape sequences in every text': ({ project }) => {
    put(project, '.heddle/schedules/escape1.json', saved({ fingerprint: `x${ESCAPE}` }))
    put(project, '.heddle/schedules/escape2.json', saved({ pattern: ESCAPE, summary: ESCAPE, sites: [ESCAPE], why: [ESCAPE] }))
    put(project, `.heddle/schedules/${ESCAPE.replaceAll('/', '')}.json`, saved({}))
  },
  'wrong types and huge numbers': ({ project }) => {
    for (const [i, over] of [
      { failure: 5 },
      { replays: 'many' },
      { violation: [] },
      { run: 7 },
      { status: 'OWNED' },
      { count: 1e308 },
    ].entries())
      put(project, `.heddle/findings/type${i}.json`, saved(over))
    put(project, '.heddle/schedules/huge.json', saved({ schedule: schedule(['node', 'seats.mjs'], { horizon: 1e308 }) }))
  },
  'a schedule with a foreign command': (at) => {
    put(at.project, '.heddle/schedules/f00d.json', saved({ fingerprint: 'f00d' }, touches(at, 'replayed')))
    put(at.project, 'foreign.json', JSON.stringify(schedule(touches(at, 'replayed'))))
  },
  'a recording that says it was made here': (at) => {
    const command = touches(at, 'replayed')
    const folder = join(at.project, '.heddle/runs/20260101-000000-000-1')
    const recording = {
      frontEnd: 'node',
      command,
      folder,
      trace: join(folder, 'trace.heddle'),
      timers: 'due',
      include: [],
      exclude: [],
      ms: 1,
      stopped: false,
      stdio: ['quiet', 'pipe', 'pipe'],
      observed: { runtime: '', modules: [], skipped: [], events: 0 },
      notes: [],
    }
    put(folder, 'recording.json', JSON.stringify(recording))
    put(at.project, '.heddle/findings/beef.json', saved({ fingerprint: 'beef', run: folder }, command))
  },
  'runs and inputs outside': ({ project, victim }) => {
    put(project, '.heddle/findings/outside1.json', saved({ run: victim }))
    put(project, '.heddle/findings/outside2.json', saved({ run: 'runs/../../../victim' }))
  },
  'sites that name secrets': ({ project, victim }) => {
    const site = `${join(victim, 'precious')}:1:1`
    put(project, '.heddle/schedules/dead.json', saved({ fingerprint: 'dead', sites: [site] }))
  },
  'a configuration with a report elsewhere': ({ project, victim }) => {
    put(project, 'heddle.config.json', JSON.stringify({ report: [join(victim, 'precious.md')] }))
  },
  'a report that is a link': ({ project, victim }) => link(project, 'report.md', join(victim, 'precious.md')),
  'a result with huge blocks': ({ project }) => {
    const document = JSON.parse([...documentJson(sample())].join('')) as CheckDocument
    ;(document.findings[0]!.picture!.observed.blocks[0] as { to: number }).to = 1e8
    put(project, '.heddle/findings.json', JSON.stringify(document))
  },
  'schedules of tests': (at) => {
    const tests = { 'takes a seat': [JSON.parse(saved({ fingerprint: '../../../victim/precious' })), 7, null], constructor: [] }
    put(at.project, '__schedules__/seats.test.mjs.json', JSON.stringify({ heddle: 1, tests }))
  },
  'a history that is none': ({ project }) =>
    put(project, '.heddle/history/attempts.json', '{"version":1,"attempts":[null,7,{"sites":[1]}]}'),
  'a progress file with another process': ({ project }) =>
    put(project, '.heddle/progress.json', JSON.stringify({ pid: 1, phase: 'replaying', text: ESCAPE, replays: '1e9' })),
  'a link to a .gitignore': ({ project, victim }) => link(project, '.heddle/.gitignore', join(victim, 'new-file')),
}

/** Each makes `.heddle` or a part of it lead elsewhere. */
export const LINKS: Readonly<Record<string, Attack>> = {
  'the folder of runs is a link': ({ project, victim }) => link(project, '.heddle/runs', victim),
  '.heddle is a link': ({ project, victim }) => link(project, '.heddle', victim),
  'the folder of findings is a link': ({ project, victim }) => link(project, '.heddle/findings', victim),
  'the folder of schedules is a link': ({ project, victim }) => link(project, '.heddle/schedules', victim),
  'the result of the last check is a link': ({ project, victim }) => link(project, '.heddle/findings.json', join(victim, 'precious')),
  'the schedules of tests are a link': ({ project, victim }) => link(project, '__schedules__', victim),
}

export function repository(attacks: readonly Attack[]): Hostile {
  const around = mkdtempSync(join(tmpdir(), 'heddle-hostile-'))
  const at: Hostile = {
    around,
    project: join(around, 'project'),
    victim: join(around, 'victim'),
    home: join(around, 'home'),
    ran: join(around, 'ran'),
  }
  for (const folder of [at.project, at.victim, at.home, at.ran]) mkdirSync(folder)
  // Names like those of runs, of which a check keeps the last few.
  for (let i = 0; i < 9; i++) put(at.victim, `2026010${i}-000000-000-${i}/file`, 'theirs')
  put(at.victim, 'precious', 'a secret that nobody has to know')
  put(at.victim, 'precious.md', 'theirs')
  put(at.victim, 'precious.json', '{}')
  put(at.project, 'package.json', '{"name":"hostile","type":"module"}\n')
  put(at.project, 'seats.mjs', SEATS)
  put(
    at.project,
    'seats.test.mjs',
    `import { test } from 'node:test'\nimport { setTimeout as wait } from 'node:timers/promises'\ntest('takes a seat', async () => { await Promise.all([wait(1), wait(2)]) })\n`,
  )
  put(at.project, 'fails.mjs', 'process.exit(3)\n')
  chmodSync(at.home, 0o700)
  for (const attack of attacks) attack(at)
  return at
}

export const remove = ({ around }: Hostile): void => rmSync(around, { recursive: true, force: true })

/** Every file and link in a folder with what it holds. */
export function stateOf(folder: string): Record<string, string> {
  const all: Record<string, string> = {}
  const walk = (at: string): void => {
    for (const name of readdirSync(at).sort()) {
      const path = join(at, name)
      const stat = lstatSync(path)
      const key = relative(folder, path)
      if (stat.isSymbolicLink()) all[key] = `-> ${readlinkSync(path)}`
      else if (stat.isDirectory()) {
        all[key] = 'folder'
        walk(path)
      } else all[key] = readFileSync(path, 'latin1')
    }
  }
  walk(folder)
  return all
}
