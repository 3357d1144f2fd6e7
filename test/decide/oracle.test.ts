/** Half of the proof by enumeration; the other half is in oracle-more.test.ts, so that two processes share the work. */
import { compareWithEnumeration } from './with-enumeration.ts'

compareWithEnumeration(0)
