/** The second half of the samples. */
import { testSamples } from './samples.ts'

testSamples(1)
