/** What somebody should know before a project is checked for the first time: the program runs several times, and what it does is done each time. */
import { mostRecordings } from '../confirm/record.ts'
import type { Isolate } from '../isolate/isolation.ts'
import { possible } from '../isolate/possible.ts'

interface Settings {
  readonly replays: number
  readonly isolate?: readonly Isolate[] | undefined
}

/** One line. */
export function realEffects({ replays, isolate = ['files'] }: Settings): string {
  if (replays === 0) return 'The program runs once; what it does is real.'
  const covered = isolate.includes('files') && possible().files !== undefined
  const what = covered
    ? 'what it does is real each time (mails, databases, servers); only its changes to files are thrown away after a replay'
    : 'what it does is real each time (files, mails, databases, servers)'
  return `The program runs up to ${mostRecordings(replays) + replays} times, and ${what}. --replays sets a limit; see docs/real-effects.md.`
}
