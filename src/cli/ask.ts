/** A question at a terminal. */
import { createInterface } from 'node:readline'

/** Is there somebody to ask? On a pipe there is not. */
export const isAtTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY

/** Only a clear yes is one. Ctrl-C is left to the system: nothing has begun. */
export function agrees(question: string): Promise<boolean> {
  process.stderr.write(`${question} (y/N) `)
  const lines = createInterface({ input: process.stdin, terminal: false })
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(/^\s*y(es)?\s*$/i.test(line))
      lines.close()
    })
    lines.once('close', () => resolve(false))
  })
}
