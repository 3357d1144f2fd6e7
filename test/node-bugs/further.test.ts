/** More bugs of the same classes that nobody looked at while Heddle was built. */
import { describe } from 'vitest'
import { FURTHER } from './cases.ts'
import { expectCase } from './expect.ts'

describe.each(FURTHER)('$name $buggy → $fixed', expectCase)
