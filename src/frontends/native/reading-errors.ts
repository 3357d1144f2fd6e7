/** What can be wrong with the files of a native run. */
import { HeddleError, quote } from '../../errors.ts'

export const noNativeRun = (folder: string): HeddleError =>
  new HeddleError(
    'no-native-run',
    `There are no records of a native run in ${quote(folder)}`,
    'Record the program again: the runtime writes them as soon as it starts',
  )
