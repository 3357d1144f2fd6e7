/** A program that uses a package with workers: what it prints is what it prints without Heddle, its threads are seen, and no order that Heddle tries breaks it. */
import { expect } from 'vitest'
import { check, node, told } from '../node-bugs/run.ts'

export interface Driver {
  readonly name: string
  /** Main is one. */
  readonly threads: number
}

/** Empty when nothing is told of it. */
export async function alarm({ name, threads }: Driver, cwd: string): Promise<string> {
  const plain = await node([name], cwd)
  expect(plain).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^[^\n]+\n$/) })
  const checked = await check([name], ['--replays', '6', '--time', '600'], cwd)
  expect(checked.program).toBe(plain.out)
  expect(checked.json.coverage.find((row) => row.predictor === 'threads')?.facts, told(checked)).toMatchObject({ threads })
  return checked.code === 0 && checked.failed.length === 0 ? '' : told(checked)
}
