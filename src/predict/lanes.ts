/**
 * What is looked for, as lanes that threads share. A lane is a predictor and proposes its causes in a fixed order; causes come in blocks, and a thread that wants
 * work takes the next block of a lane by adding one to a shared number. Every thread proposes by itself and passes over the blocks of others: proposing a cause
 * is cheap, deciding it is not.
 *
 * BIPED's two predictors (seed 000, section 3: overdue and premature uses "in parallel") are two lanes, and threads that arrive there divide between them.
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

/** In which order a thread goes through the lanes: every second one begins with the other direction. */
export function orderOfLanes(lanes: readonly Lane[], thread: number): number[] {
  const order = lanes.map((_, i) => i)
  if (thread % 2 === 0) return order
  return order.map((i) => {
    const other = lanes[i]!.direction === undefined ? NONE : lanes.findIndex((l, k) => k !== i && l.direction !== undefined)
    return other === NONE ? i : other
  })
}

const NONE = -1
const STOPPED = 0

/** The shared numbers: whether to stop, and per lane the next block that nobody has taken. */
export class Share {
  private readonly numbers: Int32Array

  constructor(readonly buffer: SharedArrayBuffer) {
    this.numbers = new Int32Array(buffer)
  }

  static of(lanes: number): Share {
    return new Share(new SharedArrayBuffer(4 * (lanes + 1)))
  }

  take(lane: number): number {
    return Atomics.add(this.numbers, lane + 1, 1)
  }

  get stopped(): boolean {
    return Atomics.load(this.numbers, STOPPED) === 1
  }

  stop(): void {
    Atomics.store(this.numbers, STOPPED, 1)
  }
}
