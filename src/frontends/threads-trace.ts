import { join } from 'node:path'

/** The path of the trace of all threads of a run, for every front end. */
export const threadsTrace = (folder: string): string => join(folder, 'threads.heddle')
