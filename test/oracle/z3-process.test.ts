/** Z3 that is missing, dies or hangs: an answer comes all the same, and no process stays behind. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { SMT_SETUP } from '../../src/predict/decide/encode-smt.ts'
import { Z3Decider } from '../../src/predict/decide/z3-decider.ts'
import { Z3, Z3Failure } from '../../src/solve/z3.ts'
import { litmus } from './litmus.ts'
import { demanding } from './random-demands.ts'

const folder = mkdtempSync(join(tmpdir(), 'heddle-z3-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A program that passes for z3 when asked for its version, then leaves its process id and does `rest`. */
function fake(name: string, rest: string): { command: string; isAlive: () => boolean } {
  const command = join(folder, name)
  const pidFile = `${command}.pid`
  writeFileSync(command, `#!/bin/sh\n[ "$1" = -version ] && exit 0\necho $$ > ${pidFile}\n${rest}\n`)
  chmodSync(command, 0o755)
  const isAlive = (): boolean => {
    try {
      process.kill(Number(readFileSync(pidFile, 'utf8')), 0)
      return true
    } catch {
      return false
    }
  }
  return { command, isAlive }
}

const EASY = '(declare-const a Int)(assert (< a 3))(check-sat)'
const race = litmus('t1 w(x)=1 @a\n t2 w(x)=2 @b')

it('says what to install when there is none', async () => {
  await expect(Z3.open({ flavour: 'native', command: join(folder, 'no-such') })).rejects.toMatchObject({
    name: 'HeddleError',
    code: 'NO_Z3',
  })
})

it('survives a Z3 that dies', async () => {
  const z3 = await Z3.open({ command: fake('dies', 'read line; exit 3').command })
  await expect(z3.ask(EASY)).rejects.toThrow(Z3Failure)
  await expect(Promise.all([z3.ask(EASY), z3.ask(EASY)])).rejects.toThrow(/ended unasked/)
  const decision = await new Z3Decider(z3, race.trace, 'sync').decide(demanding({ next: [race.at('a'), race.at('b')] }))
  expect(decision).toEqual({ unknown: 'Z3 ended unasked (exit code 3)' })
  z3.close()
})

it('kills a Z3 that hangs', async () => {
  const { command, isAlive } = fake('hangs', 'exec sleep 1000')
  const z3 = await Z3.open({ command, timeoutMs: 100, graceMs: 400 })
  const answer = expect(z3.ask(EASY)).rejects.toThrow(/no answer within 500 ms/)
  await expect.poll(isAlive, { timeout: 300_000 }).toBe(true)
  await answer
  await expect.poll(isAlive, { timeout: 300_000 }).toBe(false)
  z3.close()
})

it('close ends the process and fails what is unanswered', async () => {
  const { command, isAlive } = fake('waits', 'exec sleep 1000')
  const z3 = await Z3.open({ command })
  const answer = expect(z3.ask(EASY)).rejects.toThrow(/was closed/)
  await expect.poll(isAlive, { timeout: 300_000 }).toBe(true)
  z3.close()
  await answer
  await expect.poll(isAlive, { timeout: 300_000 }).toBe(false)
  await expect(z3.ask(EASY)).rejects.toThrow(Z3Failure)
})

const native = await Z3.open({ flavour: 'native' }).then(
  (z3) => (z3.close(), true),
  () => false,
)

for (const flavour of ['native', 'wasm'] as const) {
  describe.runIf(flavour === 'wasm' || native)(flavour, () => {
    it('answers many texts in order, none seeing another', async () => {
      const z3 = await Z3.open({ flavour, setup: SMT_SETUP })
      expect(z3.flavour).toBe(flavour)
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          z3.ask(`(declare-const a Int)(assert (< a ${i}))(assert (> a 10))(check-sat)${i > 90 ? '(assert undeclared)' : ''}`),
        ),
      )
      expect(answers.map((a) => a.split('\n')[0])).toEqual(Array.from({ length: 100 }, (_, i) => (i > 11 ? 'sat' : 'unsat')))
      expect(answers[99]).toContain('error')
      z3.close()
    })

    it('decides a race', async () => {
      const z3 = await Z3.open({ flavour, setup: SMT_SETUP })
      const decider = new Z3Decider(z3, race.trace, 'maximal')
      expect(await decider.decide(demanding({ next: [race.at('a'), race.at('b')] }))).toEqual({ feasible: true, order: new Int32Array(0) })
      expect(await decider.decide(demanding({ next: [race.at('a')], include: [race.at('a')] }))).toEqual({ feasible: false })
      z3.close()
    })

    it('keeps to its time', async () => {
      const z3 = await Z3.open({ flavour, timeoutMs: 200 })
      const pigeons = Array.from({ length: 13 }, (_, i) => `(declare-const p${i} Int)(assert (< 0 p${i} 13))`).join('\n')
      const apart = `(assert (distinct ${Array.from({ length: 13 }, (_, i) => `p${i}`).join(' ')}))`
      const answer = z3.ask(`${pigeons}\n${apart}\n(check-sat)`)
      // On a busy machine it may not get to look at its clock: then it is ended.
      expect(await answer.catch((error: unknown) => String(error))).toMatch(/^(unknown|unsat)|no answer within/)
      z3.close()
    })
  })
}
