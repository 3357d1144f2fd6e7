/**
 * How threads share the search. A lane is a predictor and proposes its causes in a fixed order; causes come in blocks, and a thread takes the next
 * block of a lane by adding one to a shared number. Every thread in a lane proposes by itself and skips the blocks of others. Proposing is not free
 * either, so every second thread begins with the last lane, and a thread skips a lane whose blocks are all taken.
 *
 * BIPED's two predictors (seed 000, section 3: overdue and premature uses "in parallel") are two lanes in the middle, where threads from both ends
 * meet.
 */
import type { Kind } from '../witness/candidate.ts'
import type { UseType } from './biped/index.ts'

export interface Lane {
  readonly kind: Kind
  /** Order violations of this direction. */
  readonly direction?: UseType
}

/** Causes that are taken at once. */
export const BLOCK = 16

/** Properties and typestates are decided with the monitor at hand, in one thread. */
export const isDealt = ({ kind }: Lane): boolean => kind !== 'property' && kind !== 'typestate'

export function lanesOf(kinds: readonly Kind[]): Lane[] {
  return kinds.flatMap((kind): Lane[] =>
    kind === 'order-violation'
      ? [
          { kind, direction: 'overdue' },
          { kind, direction: 'premature' },
        ]
      : [{ kind }],
  )
}

/** In which order a thread goes through the lanes: the first and every second one after it from the front, the others from the back. */
export function orderOfLanes(lanes: readonly Lane[], thread: number): number[] {
  const order = lanes.map((_, i) => i)
  return thread % 2 === 0 ? order : order.reverse()
}

const STOPPED = 0
export const NONE = -1

/** The shared numbers: whether to stop, and per lane the next block that nobody has taken and, once a thread knows, how many there are. */
export class Share {
  private readonly numbers: Int32Array

  constructor(readonly buffer: SharedArrayBuffer) {
    this.numbers = new Int32Array(buffer)
  }

  static of(lanes: number): Share {
    return new Share(new SharedArrayBuffer(4 * (2 * lanes + 1)))
  }

  /** The next block of the lane, or NONE where it is known that none is left. */
  take(lane: number): number {
    const block = Atomics.add(this.numbers, 2 * lane + 1, 1)
    const ended = Atomics.load(this.numbers, 2 * lane + 2)
    return ended > 0 && block >= ended - 1 ? NONE : block
  }

  /** The lane has so many blocks. */
  end(lane: number, blocks: number): void {
    Atomics.store(this.numbers, 2 * lane + 2, blocks + 1)
  }

  get stopped(): boolean {
    return Atomics.load(this.numbers, STOPPED) === 1
  }

  stop(): void {
    Atomics.store(this.numbers, STOPPED, 1)
  }
}
