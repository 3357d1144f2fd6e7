/**
 * The clock that stamps files. It is coarser than the others and lags behind them, by four milliseconds, or by more on a busy machine. So it is read
 * directly, with a file that has no name.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unseen } from '../core.ts'
import { block, realNow } from './real.ts'

const { closeSync, fstatSync, openSync, unlinkSync, writeSync } = fs
/** Where there is no file to ask: longer than a tick of most kernels. */
const USUAL_LAG_MS = 11
const PATIENCE_MS = 100

let probe: number | 'none' | undefined

export const fileClock = {
  /** Waits until files get another time than before, and returns the first such time of day in milliseconds. Undefined if that is not known. */
  next(): number | undefined {
    return unseen(() => {
      const began = realNow()
      const before = stamp()
      if (before !== undefined) {
        while (realNow() - began < PATIENCE_MS) {
          const now = stamp()
          if (now !== before) return now
          block(realNow() + 0.2)
        }
      } else block(began + USUAL_LAG_MS)
      return undefined
    })
  },
}

/** What a file that is written now gets. */
function stamp(): number | undefined {
  probe ??= open()
  if (probe === 'none') return undefined
  try {
    writeSync(probe, '.', 0)
    return fstatSync(probe).mtimeMs
  } catch {
    probe = 'none'
    return undefined
  }
}

function open(): number | 'none' {
  const path = join(tmpdir(), `heddle-clock-${process.pid}-${Math.trunc(realNow() * 1e6)}`)
  try {
    const fd = openSync(path, 'wx', 0o600)
    try {
      unlinkSync(path)
    } catch {
      closeSync(fd)
      return 'none'
    }
    return fd
  } catch {
    return 'none'
  }
}
