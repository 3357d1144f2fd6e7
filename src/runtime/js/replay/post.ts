import { carryOut } from './stalls.ts'
import { Timeout } from './timeout.ts'

/** Sets a timer of the program. A stall that waits for this post comes right after it. */
export function post(
  callback: (...args: unknown[]) => void,
  after: unknown,
  args: unknown[] | undefined,
  repeats: boolean,
  refed: boolean,
): Timeout {
  const timer = new Timeout(callback, after, args, repeats, refed)
  carryOut(timer.start)
  return timer
}
