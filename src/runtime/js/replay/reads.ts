/**
 * What a socket or pipe reads, in the pieces of the recorded run (pieces.ts). Once something has been delayed, the pieces may differ from the
 * recorded ones.
 */
import type * as core from '../core.ts'
import { asRead, bytesIn, bytesRead } from '../stream-state.ts'
import { cannotCome, sizesOf } from './guide.ts'
import { keepScope } from './holds.ts'
import { notes } from './notes.ts'
import { Pieces } from './pieces.ts'
import { after, clearTimeoutReal, soon } from './real.ts'

/** The rest of a piece comes in so many milliseconds, if it comes: so many looks, because on a busy machine a look takes longer, and so does what is to come. */
const LOOK_MS = 50
const LOOKS = 20
/** So often a run waits in vain: then its lengths are others. */
const MOST_IN_VAIN = 6

let inVain = 0

/** `inTurn`: the engine calls back for this delivery, and for no other. */
type Offer = (self: unknown, args: unknown[], inTurn: boolean) => void

export interface Reads {
  /** True: it was taken, and comes by `offer`. */
  take(self: unknown, args: unknown[]): boolean
}

export function piecesOf(op: core.Op, offer: Offer): Reads | undefined {
  const sizes = sizesOf(op)
  if (sizes === undefined) return undefined
  let self: unknown
  let inTurn = true
  let waits: { timer: NodeJS.Timeout } | undefined
  const pieces = new Pieces(sizes, {
    give(piece, more) {
      if (waits !== undefined) clearTimeoutReal(waits.timer)
      waits = undefined
      asRead(piece, () => offer(self, [piece.buffer], inTurn && !more))
    },
    wait() {
      if (waits !== undefined) return true
      if (inVain >= MOST_IN_VAIN) return false
      const inScope = keepScope()
      let looks = 0
      // It may be there, and the loop has not come to read it.
      const look = (): NodeJS.Timeout =>
        after(LOOK_MS, () =>
          soon(() => {
            if (waits !== waited) return
            if (++looks < LOOKS) {
              waited.timer = look()
              return
            }
            inVain++
            inScope(flush)
          }),
        )
      const waited = { timer: look() }
      waits = waited
      return true
    },
    other: () => cannotCome(op),
  })
  /** What is left, as a turn of its own. */
  const flush = (): void => {
    inTurn = false
    pieces.flush()
    inTurn = true
  }
  return {
    take(self_, args) {
      self = self_
      const [buffer] = args
      if (bytesRead(op.type) > 0 && buffer instanceof ArrayBuffer && notes.length === 0) {
        pieces.push(bytesIn(buffer))
        return true
      }
      flush()
      pieces.ended()
      return false
    },
  }
}
