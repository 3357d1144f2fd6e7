/**
 * Puts answers of blocks back into the order in which a single thread would have given them: lane after lane, block after block. An answer is
 * reported as soon as everything before it is known, so the order does not depend on the number or the speed of threads.
 */
import type { Coverage } from '../coverage.ts'
import type { BlockAnswer, Found } from './answer-blocks.ts'

export class Merge {
  /** Per lane: answers that wait for one before them. */
  private readonly waiting: Map<number, BlockAnswer>[]
  /** Per lane: how many blocks it has, once that is known. */
  private readonly blocks: number[]
  private lane = 0
  private next = 0
  /** Blocks that were answered, in all lanes. */
  answered = 0
  decided = 0

  constructor(
    lanes: number,
    private readonly coverage: Coverage,
    private readonly tell: (found: Found) => void,
  ) {
    this.waiting = Array.from({ length: lanes }, () => new Map<number, BlockAnswer>())
    this.blocks = Array<number>(lanes).fill(Infinity)
  }

  add(answer: BlockAnswer): void {
    this.waiting[answer.lane]!.set(answer.block, answer)
    this.answered++
    this.decided += answer.decided
    this.advance()
  }

  end(lane: number, blocks: number): void {
    this.blocks[lane] = blocks
    this.advance()
  }

  /** Is everything told? */
  get isWhole(): boolean {
    return this.lane === this.waiting.length
  }

  /** Tells all that is known, also what comes after a gap: when no more answers will come. */
  flush(): void {
    for (; this.lane < this.waiting.length; this.lane++) {
      const known = this.waiting[this.lane]!
      for (const block of [...known.keys()].sort((a, b) => a - b)) this.take(known.get(block)!)
      known.clear()
    }
  }

  private advance(): void {
    while (this.lane < this.waiting.length) {
      const known = this.waiting[this.lane]!
      const answer = known.get(this.next)
      if (answer) {
        known.delete(this.next++)
        this.take(answer)
      } else if (this.next >= this.blocks[this.lane]!) {
        this.lane++
        this.next = 0
      } else return
    }
  }

  private take({ row, found }: BlockAnswer): void {
    if (row) this.coverage.row(row.predictor as Parameters<Coverage['row']>[0]).add(row)
    for (const one of found) this.tell(one)
  }
}
