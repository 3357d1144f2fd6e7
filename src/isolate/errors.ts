/** What can go wrong with isolation, one function each. */
import { HeddleError } from '../errors.ts'

export const noneAndMore = (): HeddleError =>
  new HeddleError(
    'isolate-none',
    '--isolate none cannot be given together with others',
    'Say `--isolate files,network` or `--isolate none`',
  )

export const viewFailed = (why: string): HeddleError =>
  new HeddleError(
    'view-failed',
    `The files of a replay could not be set up: ${why === '' ? 'mount failed' : why}`,
    'Run `heddle doctor`, or check with `--isolate none`',
  )
