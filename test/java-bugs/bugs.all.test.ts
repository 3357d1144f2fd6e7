/** Published bugs of Java libraries: how often the buggy version is FAILED with the symptom of the report, and that the fixed one is silent. */
import { detects, staysSilent } from '../rates.ts'
import { alarm, cannot, CASES, missed } from './cases.ts'

detects('Java libraries, buggy', CASES, 0.8, missed, cannot)
staysSilent('Java libraries, fixed', CASES, alarm, cannot)
