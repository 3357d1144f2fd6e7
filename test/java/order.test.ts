/** `--order task`: threads record no order between each other, and an order that explains what was read is looked for. */
import { describe, expect, test } from 'vitest'
import { noJava, place } from './java.ts'

describe.skipIf(noJava !== '')(`order task${noJava}`, () => {
  const here = place()

  test('a lost update is FAILED', async () => {
    const { code, out, err } = await here.check(['--order', 'task', '--replays', '8'], ['java', '-cp', 'classes', 'Wrong'])
    expect(out, err).toMatch(/^1\. FAILED 3 of 3 replays: lost update on Wrong\.count$/m)
    expect(out).toContain('The order between threads was not recorded.')
    expect(code).toBe(1)
  })

  test('with a lock it is silent', async () => {
    const { code, out, err } = await here.check(['--order', 'task', '--replays', '8'], ['java', '-cp', 'classes', 'Right'])
    expect(out, err).toContain('No failure was found')
    expect(code).toBe(0)
  })
})
