/** The wrong programs in C and C++; native-right.test.ts has the right ones. */
import { wrongOnes } from './native.ts'

wrongOnes()
