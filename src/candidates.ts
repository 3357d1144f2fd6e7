/** In which order the predictions of a check are replayed. Each is decided when it is asked for. */
import type { OrderPrediction } from './predict/prediction.ts'
import type { ThreadPrediction } from './predict/threads/predict.ts'
import type { Candidate } from './replay/confirm.ts'
import { savedOf, type Saved } from './replay/saved.ts'

/** What failed before, what the recorded run itself violates, then one of every cause among threads, then turns of the main loop, then more of the threads while it can be replayed. */
export function* inOrder(
  earlier: readonly Saved[],
  recorded: readonly Saved[],
  threads: Iterator<ThreadPrediction> | undefined,
  turns: Iterable<OrderPrediction>,
  mayReplay: () => boolean,
): Generator<Candidate<Saved>> {
  const fresh = (prediction: OrderPrediction): Candidate<Saved> => ({ prediction: savedOf(prediction), earlier: false })
  for (const prediction of earlier) yield { prediction, earlier: true }
  for (const prediction of recorded) yield { prediction, earlier: false }
  let next = threads?.next()
  for (; next && !next.done && !next.value.again; next = threads!.next()) yield fresh(next.value)
  for (const prediction of turns) yield fresh(prediction)
  for (; next && !next.done && mayReplay(); next = threads!.next()) yield fresh(next.value)
}

/** One of the properties, one of the turns, and so on. An order that was given for a property is not given again for itself. */
export function* alternately(
  properties: Iterator<OrderPrediction> | undefined,
  turns: Iterator<OrderPrediction>,
): Generator<OrderPrediction, void, undefined> {
  const given = new Set<string>()
  const order = (prediction: OrderPrediction): string => JSON.stringify(prediction.schedule.instructions)
  for (let ofProperty = properties?.next(), ofTurns: IteratorResult<OrderPrediction> | undefined; ; ofProperty = properties?.next()) {
    if (ofProperty && !ofProperty.done) {
      given.add(order(ofProperty.value))
      yield ofProperty.value
    }
    do ofTurns = turns.next()
    while (!ofTurns.done && given.has(order(ofTurns.value)))
    if (!ofTurns.done) yield ofTurns.value
    else if (!ofProperty || ofProperty.done) return
  }
}

export function* again<T>(first: T, rest: Iterator<T>): Generator<T> {
  yield first
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value
}
