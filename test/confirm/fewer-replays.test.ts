/** A failure that was replayed less often than asked for says why. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { CheckOptions } from '../../src/check-options.ts'
import { checkLitmus, failed } from '../frontends/litmus/check-litmus.ts'

const TEXT = readFileSync(fileURLToPath(new URL('../frontends/litmus/programs/wrong/loop-lost-update.litmus', import.meta.url)), 'utf8')

async function saidWith(options: Partial<CheckOptions>): Promise<readonly [number, string | undefined]> {
  const [finding] = failed(await checkLitmus(TEXT, { options: { picture: 0, ...options } }))
  return [finding!.replays.runs, finding!.note]
}

test('one of three replays: the replays were used up', async () => {
  for (let replays = 2; ; replays++) {
    const result = await checkLitmus(TEXT, { options: { picture: 0, replays } })
    const [finding] = failed(result)
    if (!finding) continue
    expect(finding.replays.runs).toBe(1)
    expect(finding.note).toContain('It was replayed once and not 3 times: the replays were used up.')
    return
  }
})

test('as often as asked for: nothing is said', async () => {
  expect(await saidWith({})).toEqual([3, undefined])
  expect(await saidWith({ confirm: 1 })).toEqual([1, undefined])
})
