/** The warning before the first check of a project: the program runs several times, with real effects each time. */
import { mostRecordings } from '../confirm/record.ts'
import { effectsOf } from '../isolate/effects.ts'
import type { Isolate } from '../isolate/isolation.ts'

interface Settings {
  readonly replays: number
  readonly isolate?: readonly Isolate[] | undefined
}

/** One line. */
export function realEffects({ replays, isolate }: Settings): string {
  if (replays === 0) return 'The program runs once; what it does is real.'
  return `The program runs up to ${mostRecordings(replays) + replays} times, and ${effectsOf(isolate)}. --replays sets a limit; see docs/real-effects.md.`
}
