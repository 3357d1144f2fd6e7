/**
 * Sessions of tests without any test runner: a script that runs two tests by the contract. What is recorded is the test, its hooks, and what was set
 * up for all of them; what the runner does beside it is not.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { RUN_VARIABLE, type RunConfig } from '../../src/runtime/js/protocol.ts'
import { REGISTER } from '../../src/frontends/node/start.ts'
import { openTrace } from '../../src/trace/open.ts'
import { drawTrace } from '../../src/trace/draw.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'heddle-sessions-'))))
afterEach(() => rmSync(folder, { recursive: true }))

/** Runs a script that has `tests`, the runtime's side, at hand. */
function record(source: string): { output: string; traces: Record<string, string> } {
  const runs = join(folder, 'runs')
  mkdirSync(runs)
  const config: RunConfig = {
    mode: 'record',
    trace: join(folder, 'none.heddle'),
    report: join(folder, 'none.json'),
    timers: 'due',
    root: folder,
    include: [],
    exclude: [],
    detail: false,
    tests: { runs, settings: {} },
  }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'main.mjs'), `const tests = globalThis[Symbol.for('heddle.tests')]\n${source}`)
  const run = spawnSync(process.execPath, ['--import', REGISTER.href, 'main.mjs'], {
    cwd: folder,
    env: { ...process.env, [RUN_VARIABLE]: join(folder, 'config.json'), RUNS: runs },
    encoding: 'utf8',
    timeout: 300_000,
  })
  const traces = Object.fromEntries(
    readdirSync(runs).map((name) => {
      const trace = openTrace(join(runs, name, 'trace.heddle'))
      expect(trace.facts.truncated).toBeUndefined()
      void new LoopView(trace)
      return [name, [...drawTrace(trace)].join('')]
    }),
  )
  return { output: run.stdout + run.stderr, traces }
}

const labels = (text: string): string[] => [...text.matchAll(/post\([^)]*\)=#(\w+)/g)].map((match) => match[1]!)

test('each test has a trace of its own, with labels that other tests do not change', () => {
  const { output, traces } = record(`
    import { setTimeout as sleep } from 'node:timers/promises'
    const box = { value: 0 }
    for (const [folder, name] of [['first', 'same'], ['other', 'other'], ['second', 'same']]) {
      const session = tests.begin({ file: 'main.mjs', name }, process.env.RUNS + '/' + folder)
      box.beside = 1
      await session.part(async () => { await sleep(1); box.value = 1 })
      await new Promise((go) => setTimeout(go, 2))
      console.log(await session.part(async () => {
        setTimeout(() => { box.value++ }, 3)
        await sleep(5)
        return box.value
      }))
      console.log(tests.begin({ file: 'main.mjs', name: 'while another is open' }, 'x') === undefined, session.end(undefined).turns)
    }`)
  expect(output).toBe('2\ntrue 5\n2\ntrue 5\n2\ntrue 5\n')
  expect(Object.keys(traces).sort()).toEqual(['first', 'other', 'second'])
  expect(labels(traces['first']!)).toEqual(labels(traces['second']!))
  expect(labels(traces['first']!).filter((label) => labels(traces['other']!).includes(label))).toEqual([])
  expect(traces['first']).toContain('Object#')
  expect(traces['first']).toContain('.value')
  expect(traces['first']).not.toContain('.beside')
  // The timer of the script that plays the runner is not there.
  expect(traces['first']).not.toContain('timer 2')
})

test('what a test leaves running is not part of the next, what was set up for all is', () => {
  const { traces, output } = record(`
    import { createServer, get } from 'node:http'
    import { setTimeout as sleep } from 'node:timers/promises'
    const seen = { requests: 0 }
    const server = createServer((request, response) => { seen.requests++; response.end('ok') })
    await tests.setup(() => new Promise((go) => server.listen(0, '127.0.0.1', go)))
    const one = tests.begin({ file: 'main.mjs', name: 'one' }, process.env.RUNS + '/one')
    await one.part(() => { setTimeout(() => { seen.requests += 100 }, 20) })
    one.end(undefined)
    const two = tests.begin({ file: 'main.mjs', name: 'two' }, process.env.RUNS + '/two')
    await two.part(async () => {
      await new Promise((go) => get({ port: server.address().port, agent: false }, (r) => r.resume().on('end', go)))
      await sleep(40)
      seen.requests++
    })
    two.end(undefined)
    console.log(seen.requests)
    server.close()`)
  expect(output).toBe('102\n')
  expect(traces['two']).toMatch(/dispatch\("?server/)
  expect(traces['two']).toContain('.requests')
  expect(traces['two']).not.toContain('timer 20')
})

test('what is thrown is in the report, and goes on to the runner', () => {
  const { output } = record(`
    import { readFileSync } from 'node:fs'
    const session = tests.begin({ file: 'main.mjs', name: 'x' }, process.env.RUNS + '/x')
    try { await session.part(async () => { await null; throw new TypeError('no') }) } catch (error) { session.end({ error }) }
    console.log(JSON.parse(readFileSync(process.env.RUNS + '/x/report.json', 'utf8')).end.uncaught.message)`)
  expect(output).toBe('TypeError: no\n')
})
