/** Real bugs in published packages: found from one passing run, confirmed by failing, and not found where they are fixed. */
import { describe } from 'vitest'
import { CORPUS } from './cases.ts'
import { expectCase } from './expect.ts'

describe.each(CORPUS)('$name $buggy → $fixed', expectCase)
