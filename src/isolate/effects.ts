/** The warning before a command is run repeatedly: its effects are real each time. */
import type { Isolate } from './isolation.ts'
import { possible } from './possible.ts'

/** Half a sentence about replays that are isolated so; left out, as is usual. */
export const effectsOf = (isolate: readonly Isolate[] = ['files']): string =>
  isolate.includes('files') && possible().files !== undefined
    ? 'what it does is real each time (mails, databases, servers); only its changes to files are thrown away after a replay'
    : 'what it does is real each time (files, mails, databases, servers)'
