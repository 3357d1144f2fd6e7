/** All wrong programs in Java: how often each is found. */
import { detects } from '../rates.ts'
import { cannot, javaPrograms, missed } from './java.ts'

detects('Java, wrong', javaPrograms('wrong'), 0.95, missed, cannot)
