/** All wrong programs with worker threads: how often each is found. */
import { detects } from '../rates.ts'
import { missed, WRONG } from './workers.ts'

detects('worker threads, wrong', WRONG, 0.9, missed)
