/** The wrong programs with worker threads; workers-right.test.ts has the right ones. */
import { wrongOnes } from './workers.ts'

wrongOnes()
