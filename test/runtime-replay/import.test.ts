/** Replays without delays: modules of an import() come where they came in the recorded run, however long the loader takes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LoopView } from '../../src/causal/loop/turns.ts'
import { firstDifference } from '../../src/confirm/first-difference.ts'
import { guideIn } from '../../src/frontends/node/guide.ts'
import { run } from '../runtime/program.ts'
import { replay, words } from './replay.ts'

/** `long`: the loader has more to read. */
const SOURCE = `
  const { stat } = require('node:fs/promises')
  const url = (name) => 'data:text/javascript,' + (process.argv[2] === 'long' ? '/*' + 'x'.repeat(4e6) + '*/' : '') + 'console.log("' + name + '");setImmediate(()=>console.log("' + name + ' begun"))'
  setTimeout(async () => {
    const beside = (async () => { for (let i = 0; i < 20; i++) { await stat('/'); console.log(i) } })()
    for (const name of ['a', 'b']) { await import(url(name)); console.log(name + ' is there') }
    await beside
  }, 5)`

test.each([
  ['long', 'short'],
  ['short', 'long'],
])('recorded with a %s way of the loader, replayed with a %s one', async (recorded, replayed) => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const first = await run({ 'main.cjs': SOURCE }, { args: [recorded] })
  const second = await replay(SOURCE, [], { args: [replayed], guide: guideIn(folder, first.trace(), true).guide! })

  expect(firstDifference(new LoopView(first.trace()), new LoopView(second.trace()))).toBeUndefined()
  expect(words(second)).toBe(words(first))
})
