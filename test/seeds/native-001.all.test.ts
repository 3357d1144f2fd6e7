/** All bugs of seed 001 as C programs. */
import { detects, staysSilent } from '../rates.ts'
import { alarm, BUGS, missed } from './native-001.ts'
import { noNative } from './native-programs.ts'

detects('seed 001 in C', BUGS, 0.9, missed, noNative)
staysSilent('seed 001 in C, mended', BUGS, alarm, noNative)
