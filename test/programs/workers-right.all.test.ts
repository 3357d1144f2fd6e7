/** All right programs with worker threads stay silent. */
import { staysSilent } from '../rates.ts'
import { alarm, RIGHT } from './workers.ts'

staysSilent('worker threads, right', RIGHT, alarm)
