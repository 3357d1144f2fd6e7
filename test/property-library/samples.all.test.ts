/** All sample programs of the library. */
import { detects, staysSilent } from '../rates.ts'
import { differs, samples } from './samples.ts'

detects('properties of the library, wrong', samples('wrong'), 0.95, differs)
staysSilent('properties of the library, right', samples('right'), differs)
