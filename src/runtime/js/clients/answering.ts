/**
 * Answers to requests, each a turn of its own. A client may receive several at once (replies in one packet). The program gets the first there, and
 * the others one by one from the poll phase, as if they had come in separate packets.
 */
import { stat } from 'node:fs'
import { boundary } from '../boundary.ts'
import { beginsTurn, runInside, unseen, type Op } from '../core.ts'

const waiting: (() => void)[] = []

export function answer(op: Op, deliver: () => unknown): void {
  const tell = (): void =>
    boundary.finish(op, () => {
      runInside(op, deliver)
    })
  if (waiting.length === 0 && beginsTurn()) return tell()
  waiting.push(tell)
  if (waiting.length === 1) later()
}

function later(): void {
  unseen(() =>
    stat('/', () => {
      const tell = waiting[0]!
      try {
        tell()
      } finally {
        waiting.shift()
        if (waiting.length > 0) later()
      }
    }),
  )
}
