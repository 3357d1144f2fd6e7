import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMMANDS, GROUPS } from '../../src/options/table.ts'
import { expectRefused, golden, heddle, ROOT, scratch } from './run.ts'

const ACCOUNT = 'examples/account.txt'
const dir = scratch()
const file = (name: string, text: string): string => {
  writeFileSync(join(dir, name), text)
  return join(dir, name)
}

/** `property check` → `propertyCheck`. */
const asOneWord = (name: string): string => name.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())

describe('help', () => {
  test('help has an overview and every command', () => {
    const names = [...COMMANDS.map((c) => c.name.split(' ')), ...GROUPS.map((g) => [g.name])]
    golden('help.txt', [[], ...names].map((words) => heddle('help', ...words).out).join('\n'))
    expect(heddle('predict', '--help').out).toBe(heddle('help', 'predict').out)
    expect(heddle('--version').out).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(heddle().code).toBe(2)
  })

  test('every option of the table is used by its command', () => {
    const folder = join(ROOT, 'src/cli')
    const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    for (const command of COMMANDS.filter((c) => !c.raw)) {
      const own = sources.find((text) => text.includes(`function ${asOneWord(command.name)}Command(`))!
      // What several commands have in common is read in one place.
      const shared = own.includes("from '../options/settings-of.ts'")
        ? '../options/settings-of.ts'
        : own.includes('testConfigOf(')
          ? '../config/config.ts'
          : undefined
      // So is what concerns a queue.
      const far = [...own.matchAll(/from '(\.\/far-\w+\.ts)'/g)].map(([, name]) => name!)
      const source =
        own + [...(shared === undefined ? [] : [shared]), ...far].map((name) => readFileSync(join(folder, name), 'utf8')).join('')
      for (const { name } of command.options) expect(source, `${command.name} --${name}`).toContain(`('${name}')`)
      for (const { name } of command.positionals) expect(source, `${command.name} ${name}`).toContain(`('${name}')`)
    }
  })
})

describe('wrong words', () => {
  test.each([
    [['predcit', ACCOUNT], /no command "predcit"\. Did you mean predict\?/],
    [['--versoin'], /Did you mean --version\?/],
    [['help', 'nothing'], /no command "nothing"/],
    [['property', 'chekc'], /no command "property chekc"\. Did you mean property check\?/],
    [['property', 'fly'], /no command "property fly"\. Run `heddle property` for the list/],
    [['property', 'check'], /property check needs FILE\. Use it as `heddle property check FILE\.\.\.`/],
    [['predict'], /predict needs FILE/],
    [['predict', ACCOUNT, 'more'], /takes no argument "more"/],
    [['predict', ACCOUNT, '--modle', 'data'], /no option "--modle"\. Did you mean --model\?/],
    [['predict', ACCOUNT, '-x'], /no option "-x"/],
    [['predict', ACCOUNT, '--model'], /--model needs a value/],
    [['predict', ACCOUNT, '--model', '--json'], /--model needs a value/],
    [['predict', ACCOUNT, '--model', 'dta'], /--model cannot be "dta"\. Did you mean data\? Allowed: sync, data, maximal/],
    [['predict', ACCOUNT, '--kinds', 'data-race,'], /--kinds cannot be ""/],
    [['predict', ACCOUNT, '--kinds', 'race'], /Did you mean data-race\?/],
    [['predict', ACCOUNT, '--decider', '__proto__'], /Allowed: staged, polygraph, z3, interval/],
    [['predict', ACCOUNT, '--json=yes'], /--json takes no value/],
    [['predict', ACCOUNT, '--budget', '1e9'], /whole number from 1/],
    [['predict', ACCOUNT, '--budget', '0'], /whole number from 1/],
    [['predict', ACCOUNT, '--budget=-1'], /whole number from 1/],
    [['predict', ACCOUNT, '--budget', '9'.repeat(400)], /--budget cannot be "9999/],
    [['show', ACCOUNT, '--from', '2147483648'], /whole number from 0 to 2147483647/],
    [['show', ACCOUNT, '--task', 'anna'], /no task "anna"\. Did you mean ann\?/],
    [['show', ACCOUNT, '--task', 'nobody'], /It has main, ann, bob/],
    [['show', ACCOUNT, '--around', '77'], /no event at position 77\. The nearest are at 21/],
    [['explain', ACCOUNT, '0', '3'], /no event at position 0\. The nearest are at 1/],
    [['explain', ACCOUNT, '3', '3'], /the same event/],
    [['explain', ACCOUNT, 'three', '3'], /A cannot be "three"/],
    [['explain', ACCOUNT, '3', '99999999999999999999999'], /B cannot be/],
    [['check', '--branch-window', '0', '--', 'node', 'x.js'], /--branch-window is "0", which is not a window/],
    [['check', '--branch-window', '10@', '--', 'node', 'x.js'], /100000@2/],
  ])('%j', (words, pattern) => expectRefused(heddle(...words), pattern))
})

describe('predict', () => {
  test('the example prints what is kept', () => golden('predict-account.txt', heddle('predict', ACCOUNT).out))

  test('the others get a line each', () =>
    golden('predict-limit.txt', heddle('predict', ACCOUNT, '--limit', '1', '--kinds', 'data-race').out))

  test('nothing predicted still says what was looked at', () => {
    golden('predict-nothing.txt', heddle('predict', ACCOUNT, '--kinds', 'deadlock').out)
  })

  test('the exit code says whether something was predicted, where --fail-on asks for it', () => {
    expect(heddle('predict', ACCOUNT).code).toBe(0)
    expect(heddle('predict', ACCOUNT, '--fail-on', 'predicted').code).toBe(1)
    expect(heddle('predict', ACCOUNT, '--fail-on', 'predicted', '--kinds', 'deadlock').code).toBe(0)
    expect(heddle('predict', ACCOUNT, '--fail-on', 'none', '--json').code).toBe(0)
  })

  test.each(['staged', 'polygraph', 'z3'])('decider %s agrees on the example', (decider) => {
    const ran = heddle('predict', ACCOUNT, '--model', 'data', '--decider', decider, '--json', '--ungrouped')
    const events = (JSON.parse(ran.out) as { findings: { kind: string; events: number[] }[] }).findings.map((p) => [p.kind, ...p.events])
    expect(events).toEqual([
      ['data-race', 6, 13],
      ['data-race', 7, 13],
      ['atomicity', 6, 13, 7],
      ['order-violation', 15, 11],
    ])
  })

  test('huge numbers are only large', () => {
    const most = String(Number.MAX_SAFE_INTEGER)
    expect(heddle('predict', ACCOUNT, '--budget', most, '--attempts', most, '--limit', most).code).toBe(0)
  })
})

describe('explain', () => {
  test('a chain of reasons, an order, rules that leave no other way', () => {
    const pairs = [
      ['3', '6'],
      ['7', '13'],
      ['13', '7'],
      ['15', '11'],
      ['12', '16'],
      ['6', '3'],
    ] as const
    golden('explain.txt', pairs.map(([a, b]) => heddle('explain', ACCOUNT, a, b).out).join('\n'))
  })

  test('of the events that share the position of a wait, the wake is meant', () => {
    const wait = file('wait.txt', 'order: task\nT1         T2\nacq(l)\nwait(g,l)\nrel(l)\n           notify(g)\n')
    const ran = heddle('explain', wait, '4', '2')
    expect(ran.err).toBe('')
    expect(ran.out).toMatch(/^T2 notify\(g\) \(position 4\) must come before T1 wake\(g\) \(position 2\)/)
  })
})

describe('show', () => {
  const long = file('long.std', Array.from({ length: 1000 }, (_, i) => `T${i % 3}|w(x${i % 7})|a.c:${i}\n`).join(''))

  test('whole, a range, tasks, around', () => {
    const calls = [
      [],
      ['--from', '5', '--to', '8'],
      ['--task', 'bob', '--task', 'main', '--from', '10'],
      ['--around', '9', '--context', '2'],
    ]
    golden('show.txt', calls.map((words) => heddle('show', ACCOUNT, ...words).out).join('\n'))
  })

  test('a long trace is cut, and says so', () => {
    const lines = heddle('show', long).out.split('\n')
    expect(lines.length).toBe(1 + 200 + 1 + 1 + 1)
    expect(lines.at(-2)).toBe(
      'The first 200 of 1000 events. Use --from 201 to go on, --around N for what is near a position, or --all for everything.',
    )
    expect(heddle('show', long, '--all').out.split('\n').length).toBe(1002)
    expect(heddle('show', long, '--from', '900').out).not.toContain('The first')
  })

  test('show says when no event is in the range', () =>
    expect(heddle('show', ACCOUNT, '--from', '1000').out).toMatch(/^None of the 21 events/))
})

describe('import and export', () => {
  const out = (name: string): string => join(dir, name)

  test('round trip through every format', () => {
    expect(heddle('import', ACCOUNT, out('a.heddle')).out).toContain('Wrote 21 events of 3 tasks to')
    expect(heddle('export', out('a.heddle'), out('a.std')).code).toBe(0)
    expect(heddle('export', out('a.std'), out('a.txt')).code).toBe(0)
    expect(heddle('show', out('a.txt')).out).toBe(heddle('show', ACCOUNT).out)
    const predictions = (path: string): unknown =>
      (JSON.parse(heddle('predict', path, '--json').out) as { predictions: unknown }).predictions
    expect(predictions(out('a.std'))).toEqual(predictions(ACCOUNT))
    expect(predictions(out('a.heddle'))).toEqual(predictions(ACCOUNT))
  })

  test('never overwrites without --force', () => {
    const there = file('there.std', 'precious')
    expectRefused(heddle('export', ACCOUNT, there), /already exists/)
    expect(readFileSync(there, 'utf8')).toBe('precious')
    expect(heddle('export', ACCOUNT, there, '--force').code).toBe(0)
    expect(readFileSync(there, 'utf8')).toContain('ann|r(current)=100|account.js:12')
  })

  test('names and files that cannot be written to are refused', () => {
    expectRefused(heddle('export', ACCOUNT, out('a.xyz')), /has no known extension/)
    expect(heddle('export', ACCOUNT, out('b.xyz'), '--format', 'std').code).toBe(0)
    expectRefused(heddle('import', ACCOUNT, out('c.std')), /heddle export/)
    expectRefused(heddle('export', ACCOUNT, '/dev/null', '--force', '--format', 'std'), /not a regular file/)
    expectRefused(heddle('export', ACCOUNT, out('no/where.std')), /cannot be written/)
    symlinkSync(out('nothing'), out('dangling.std'))
    expectRefused(heddle('export', ACCOUNT, out('dangling.std')), /already exists/)
    expectRefused(heddle('export', ACCOUNT, out('dangling.std'), '--force'), /not a regular file/)
    expectRefused(heddle('export', out('missing'), out('d.std')), /no trace file/)
    expect(readdirSync(dir).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})

describe('decide', () => {
  // Two tasks 0→1 and 2→3; 1 before 2 or 3 before 0.
  const feasible = { n: 4, next: [1, -1, 3, -1], hard: [], poly: [[1, 2, 3, 0]] }

  test.each(['staged', 'polygraph'])('%s', (decider) => {
    const decide = (problem: unknown): string => heddle('decide', file('p.json', JSON.stringify(problem)), '--decider', decider).out
    expect(decide(feasible)).toMatch(/^feasible\norder: (0 1 2 3|2 3 0 1)\n$/)
    expect(decide({ ...feasible, hard: [[0, 3], [2, 1]] })).toMatch(/^infeasible\n/) // prettier-ignore
    expect(decide({ n: 0, next: [], hard: [], poly: [] })).toBe('feasible\norder: \n')
  })

  test('files that hold no polygraph are refused', () => {
    expectRefused(heddle('decide', file('p.json', '{"n":')), /not JSON/)
    expectRefused(heddle('decide', file('p.json', '{"n":1e300}')), /not a polygraph/)
    expectRefused(heddle('decide', file('p.json', JSON.stringify({ ...feasible, poly: [[1, 2, 3, 9]] }))), /poly\[0\]\[3\]/)
    expectRefused(heddle('decide', dir), /directory/)
    expectRefused(heddle('decide', join(dir, 'missing.json')), /no such file/)
  })
})

describe('predict while it goes on', () => {
  test('a line of JSON for each prediction, then the rest of the document', () => {
    const lines = heddle('predict', ACCOUNT, '--json-lines')
      .out.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const whole = JSON.parse(heddle('predict', ACCOUNT, '--json').out)
    const sorted = (list: { fingerprint: string }[]): unknown[] => list.toSorted((a, b) => a.fingerprint.localeCompare(b.fingerprint))
    expect(sorted(lines.slice(0, -1))).toEqual(sorted(whole.findings))
    expect(lines.at(-1)).toMatchObject({ complete: true, coverage: whole.coverage, trace: whole.trace })
    expect(lines.at(-1)).not.toHaveProperty('findings')
  })
})
