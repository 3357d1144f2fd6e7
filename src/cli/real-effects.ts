/** What somebody should know before a project is checked for the first time: the program runs several times, and what it does is done each time. */
import { mostRecordings } from '../confirm/record.ts'

/** One line. */
export function realEffects({ replays }: { readonly replays: number }): string {
  if (replays === 0) return 'The program runs once; what it does is real.'
  const times = mostRecordings(replays) + replays
  return `The program runs up to ${times} times, and what it does (mails, databases, files) is real each time. See docs/real-effects.md; --replays N sets a limit.`
}
