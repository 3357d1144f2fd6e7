/** All right programs in Java stay silent. */
import { staysSilent } from '../rates.ts'
import { alarm, cannot, javaPrograms } from './java.ts'

staysSilent('Java, right', javaPrograms('right'), alarm, cannot)
