/** All wrong programs in C and C++: how often each is found. */
import { detects } from '../rates.ts'
import { cannot, missed, nativePrograms } from './native.ts'

detects('C and C++, wrong', nativePrograms('wrong'), 0.95, missed, cannot)
