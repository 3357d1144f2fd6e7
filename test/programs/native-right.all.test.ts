/** All right programs in C and C++ stay silent. */
import { staysSilent } from '../rates.ts'
import { alarm, cannot, nativePrograms } from './native.ts'

staysSilent('C and C++, right', nativePrograms('right'), alarm, cannot)
