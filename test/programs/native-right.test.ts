/** The right programs in C and C++; native.test.ts has the wrong ones. */
import { rightOnes } from './native.ts'

rightOnes()
