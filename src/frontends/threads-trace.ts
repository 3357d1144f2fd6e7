import { join } from 'node:path'

/** Where the trace of all threads of a run goes, whatever recorded them. */
export const threadsTrace = (folder: string): string => join(folder, 'threads.heddle')
