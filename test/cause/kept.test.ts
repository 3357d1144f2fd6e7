/** What is known of a cause stays with the finding: in .heddle, and in every report that is read later. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { CheckResult } from '../../src/check-options.ts'
import type { Cause } from '../../src/confirm/cause.ts'
import { findFinding } from '../../src/confirm/find-finding.ts'
import { keep } from '../../src/confirm/kept.ts'
import { findingLines } from '../../src/report/finding-text.ts'
import { Store } from '../../src/store/store.ts'
import { checkLitmus, failed } from '../frontends/litmus/check-litmus.ts'

const root = mkdtempSync(join(tmpdir(), 'heddle-kept-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const COUNTER = `var x = 0
thread A:
  r = x
  x = r + 1
thread B:
  r = x
  x = r + 1
final assert x == 2`

async function shown(change: (cause: Cause) => Cause): Promise<string> {
  const result: CheckResult = await checkLitmus(COUNTER, { order: 1, options: { picture: 0 } })
  const [finding] = failed(result)
  const store = Store.open(root)
  const { cause } = finding!
  keep(store, { folder: join(root, '.heddle/runs/1') }, [{ ...finding!, cause: change(cause!) }])
  const found = findFinding(finding!.prediction.fingerprint, root)
  const options = { width: 200, colour: false, root, verbose: true }
  return findingLines(found!.finding, undefined, options).join('\n')
}

describe('a finding that was kept', () => {
  test('says what it needs, and that it is the cause', async () => {
    expect(await shown((cause) => ({ ...cause, proof: 'cause' }))).toMatch(/It needs .+\. This is the cause/)
  })

  test('says no more than was proved', async () => {
    const text = await shown((cause) => ({ ...cause, proof: 'one way' }))
    expect(text).toContain('This is one way to fail')
    expect(text).not.toContain('This is the cause')
  })
})

describe('--only', () => {
  const notesOf = async (only: readonly string[] | undefined): Promise<string> =>
    (await checkLitmus(COUNTER, { order: 1, options: { picture: 0, only } })).notes.join('\n')

  test('says that it did nothing, where it does nothing', async () => expect(await notesOf(['files'])).toContain('--only'))
  test('nothing is said of it where it was not asked for', async () => expect(await notesOf(undefined)).not.toContain('--only'))
})
