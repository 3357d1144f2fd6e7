/** action.yml: its steps run as GitHub runs them, with a `gh` that keeps what it is told. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { BIN, ROOT } from './cli/run.ts'

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string }>>
  readonly runs: {
    readonly steps: readonly { readonly name: string; readonly if?: string; readonly env?: Record<string, string>; readonly run: string }[]
  }
}
const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action

/** Keeps the words it is called with and the body, and lists one comment if there is one. */
const GH = `#!/bin/bash
printf '%s\\n' "$*" >> "$LOG"
for word; do case "$word" in body=@*) cp "\${word#body=@}" "$LOG.body";; esac; done
case "$*" in *--paginate*) [ ! -e "$LOG.old" ] || echo 4711;; esac
`

function runner() {
  const dir = mkdtempSync(join(tmpdir(), 'heddle-action-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const bin = join(dir, 'path')
  mkdirSync(bin)
  writeFileSync(join(bin, 'gh'), GH)
  writeFileSync(
    join(bin, 'npx'),
    `#!/bin/bash\n[ "$1 $2" = "--no-install heddle" ] || exit 99\nshift 2\nexec ${process.execPath} ${BIN} "$@"\n`,
  )
  for (const name of ['gh', 'npx']) chmodSync(join(bin, name), 0o755)
  const log = join(dir, 'gh.log')
  const output = join(dir, 'output')
  const values: Record<string, string> = {
    'github.repository': 'o/r',
    'github.event.number': '7',
    'github.workflow': 'ci',
    'github.job': 'check',
    'inputs.token': 'secret',
  }
  const step = (name: string): { code: number | null; out: string } => {
    const { env = {}, run } = action.runs.steps.find((s) => s.name === name)!
    expect(run, 'values reach the shell by its environment alone').not.toContain('${{')
    const filled = Object.fromEntries(
      Object.entries(env).map(([key, text]) => [key, text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, what: string) => values[what] ?? '')]),
    )
    const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', run], {
      cwd: dir,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${bin}:${process.env['PATH']}`, GITHUB_OUTPUT: output, LOG: log, ...filled },
    })
    return { code: status, out: stdout + stderr }
  }
  return {
    dir,
    old: () => writeFileSync(`${log}.old`, ''),
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
    body: () => readFileSync(`${log}.body`, 'utf8'),
    run(words: string): number | null {
      values['inputs.run'] = words
      step('Run')
      values['steps.heddle.outputs.code'] = /code=(\d+)/.exec(readFileSync(output, 'utf8'))![1]!
      expect(step('Comment').code).toBe(0)
      return step('Result').code
    },
  }
}

test('a finding is commented, and the step fails', () => {
  const at = runner()
  cpSync(join(ROOT, 'examples/tickets.js'), join(at.dir, 'tickets.js'))
  expect(at.run('check --confirm 1 -- node tickets.js')).toBe(1)
  expect(at.calls().at(-1)).toMatch(/^api --silent --method POST repos\/o\/r\/issues\/7\/comments --field body=@/)
  expect(at.body()).toMatch(/^<!-- heddle ci check -->\n/)
  expect(at.body()).toContain('tickets.js')
})

test('where nothing failed an old comment is written anew, and no new one is made', () => {
  const at = runner()
  writeFileSync(join(at.dir, 'right.js'), 'setTimeout(() => {}, 1)\nsetTimeout(() => {}, 2)\n')
  expect(at.run('check -- node right.js')).toBe(0)
  expect(at.calls()).toHaveLength(1)
  at.old()
  expect(at.run('check -- node right.js')).toBe(0)
  expect(at.calls().at(-1)).toMatch(/^api --silent --method PATCH repos\/o\/r\/issues\/comments\/4711 /)
})

test('where Heddle could not do its work nothing is commented', () => {
  const at = runner()
  expect(at.run('check --no-such-option')).toBe(2)
  expect(at.calls()).toEqual([])
})
