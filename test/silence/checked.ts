/** A correct program under Heddle: whatever order is tried, nothing fails, and what it prints stays as it is. */
import { expect } from 'vitest'
import { sized } from '../layer.ts'
import { check, node, told } from '../node-bugs/run.ts'

/** A budget in replays; the seconds are for a machine that has other things to do, too. */
const BUDGET = ['--replays', sized('5', '40'), '--time', '600']

/** Empty when nothing is told of it. */
export async function alarm(path: string, cwd: string): Promise<string> {
  const plain = await node([path], cwd)
  expect(plain.code, plain.out.slice(-2000)).toBe(0)
  const checked = await check([path], BUDGET, cwd)
  expect(checked.program).toBe(plain.out)
  return checked.code === 0 && checked.failed.length === 0 ? '' : told(checked)
}
