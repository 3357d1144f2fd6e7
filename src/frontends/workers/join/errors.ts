/** What can be wrong with the files of threads, taken together. */
import { HeddleError, quote } from '../../../errors.ts'

export const threadTwice = (source: string, task: string): HeddleError =>
  new HeddleError('thread-twice', `${source}: two files contain steps of ${quote(task)}`, 'Record again into an empty folder')
