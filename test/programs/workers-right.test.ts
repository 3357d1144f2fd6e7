/** The right programs with worker threads; workers.test.ts has the wrong ones. */
import { rightOnes } from './workers.ts'

rightOnes()
