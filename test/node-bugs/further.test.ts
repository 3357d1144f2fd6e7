/** More bugs of the same classes, from other packages. They were chosen apart from the corpus, but Heddle has been mended after them since. */
import { describe } from 'vitest'
import { FURTHER } from './cases.ts'
import { expectCase } from './expect.ts'

describe.each(FURTHER)('$name $buggy → $fixed', expectCase)
