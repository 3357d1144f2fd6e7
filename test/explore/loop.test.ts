/** Exploration of an event loop, through its front end: failures behind a first delay. deep-programs.all.test.ts has more programs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Checked } from '../node-bugs/run.ts'
import { checkDeep, deepPrograms, type Version } from './deep-programs.ts'

const cwd = mkdtempSync(join(tmpdir(), 'heddle-explore-'))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const checkNode = (name: string, version: Version, options: readonly string[]): Promise<Checked> =>
  checkDeep('node', deepPrograms('node').find((one) => one.name === name)!.file, version, options, cwd)

const explored = ({ json }: Checked): Readonly<Record<string, number>> | undefined =>
  json.coverage.find(({ predictor }) => predictor === 'exploration')?.facts

test('a failure that needs two delays is FAILED without being asked for, and not predicted from the recorded run', async () => {
  const alone = await checkNode('fallback', 'wrong', ['--depth', '1'])
  expect(alone).toMatchObject({ code: 0, failed: [] })
  expect(explored(alone)).toBeUndefined()
  const deep = await checkNode('fallback', 'wrong', [])
  expect(deep.code).toBe(1)
  expect(explored(deep)).toMatchObject({ depth: 2 })
  expect(deep.failed[0]!.failure).toMatchObject({ message: expect.stringContaining('service.defaults') })
})

test('the right version is silent, and it is never said of a loop that all classes were run', async () => {
  const right = await checkNode('handover', 'right', [])
  expect(right).toMatchObject({ code: 0, failed: [] })
  expect(explored(right)).toMatchObject({ partial: 1, failures: 0 })
})

test('nothing is run for it where there is nothing to turn round', async () => {
  const right = await checkNode('fallback', 'right', [])
  expect(right).toMatchObject({ code: 0, failed: [] })
  expect(explored(right)).toBeUndefined()
})
