/** What a check replays, in this order: earlier failures, violations in the recorded run itself, then the predictions. */
import type { Prediction } from '../predict/prediction.ts'
import { savedOf, type Saved } from '../schedule/saved.ts'
import type { Candidate } from './confirm.ts'

/** An iterator that can be asked whether there is anything at all: the first one is then decided, and kept. */
export class Candidates implements Iterator<Candidate<Saved>> {
  private first: IteratorResult<Candidate<Saved>> | undefined

  constructor(private readonly rest: Iterator<Candidate<Saved>>) {}

  some(): boolean {
    this.first ??= this.rest.next()
    return !this.first.done
  }

  next(): IteratorResult<Candidate<Saved>> {
    const { first } = this
    this.first = undefined
    return first ?? this.rest.next()
  }
}

export const candidates = (earlier: readonly Saved[], recorded: readonly Saved[], predictions: Iterator<Prediction>): Candidates =>
  new Candidates(inOrder(earlier, recorded, predictions))

function* inOrder(
  earlier: readonly Saved[],
  recorded: readonly Saved[],
  predictions: Iterator<Prediction>,
): Generator<Candidate<Saved>, undefined> {
  for (const prediction of earlier) yield { prediction, earlier: true }
  for (const prediction of recorded) yield { prediction, earlier: false }
  for (let next = predictions.next(); !next.done; next = predictions.next()) yield { prediction: savedOf(next.value), earlier: false }
  return undefined
}
