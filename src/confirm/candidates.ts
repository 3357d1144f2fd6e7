/** What a check replays, in this order: earlier failures, violations in the recorded run itself, then the predictions. */
import type { Prediction } from '../predict/prediction.ts'
import { savedOf, type Saved } from '../schedule/saved.ts'
import { PAUSE } from '../predict/threads/prediction.ts'
import type { Candidate } from './confirm.ts'

/** In the place of a prediction: none was found for a while. */
export const NOTHING_YET = {} as Saved

/** An iterator that can be asked whether there is anything at all: the first one is then decided, and kept. */
export class Candidates implements Iterator<Candidate<Saved>> {
  private first: IteratorResult<Listed> | undefined
  private pauses: (() => boolean) | undefined

  constructor(private readonly rest: Iterator<Listed>) {}

  /** Other orders of what was tried are not given any more while this says so. */
  pauseWhen(pauses: (() => boolean) | undefined): void {
    this.pauses = pauses
  }

  some(): boolean {
    do this.first ??= this.rest.next()
    while (this.skipsPause())
    return !this.first?.done
  }

  private skipsPause(): boolean {
    if (this.first?.done || this.first?.value.prediction !== NOTHING_YET) return false
    this.first = undefined
    return true
  }

  next(): IteratorResult<Candidate<Saved>> {
    const next = (this.first ??= this.rest.next())
    if (!next.done && next.value.again && this.pauses?.()) return { done: true, value: undefined }
    this.first = undefined
    return next
  }
}

/** `again`: another order of a cause of which one was tried. */
interface Listed extends Candidate<Saved> {
  readonly again: boolean
}

export const candidates = (earlier: readonly Saved[], recorded: readonly Saved[], predictions: Iterator<Prediction>): Candidates =>
  new Candidates(inOrder(earlier, recorded, predictions))

function* inOrder(earlier: readonly Saved[], recorded: readonly Saved[], predictions: Iterator<Prediction>): Generator<Listed, undefined> {
  for (const prediction of earlier) yield { prediction, earlier: true, again: false }
  for (const prediction of recorded) yield { prediction, earlier: false, again: false }
  for (let next = predictions.next(); !next.done; next = predictions.next())
    if (next.value === PAUSE) yield { prediction: NOTHING_YET, earlier: false, again: false }
    else yield { prediction: savedOf(next.value), earlier: false, again: next.value.again ?? false }
  return undefined
}
