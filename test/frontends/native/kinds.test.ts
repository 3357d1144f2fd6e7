/** The numbers of record kinds in TypeScript and in C are the same. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { KIND } from '../../../src/frontends/native/kinds.ts'

test('KIND is the enum of heddle.h', () => {
  const header = readFileSync(new URL('../../../runtime/native/heddle.h', import.meta.url), 'utf8')
  const enums = [...header.matchAll(/\benum(?: \w+)? \{([^}]*)\}/g)].map(([, body]) => body!)
  const body = enums.find((one) => one.includes('HD_READ ='))!
  const inC = Object.fromEntries([...body.matchAll(/\bHD_(\w+) = (\d+)/g)].map(([, name, number]) => [name!, Number(number)]))
  // 0 is no record.
  expect({ NONE: 0, ...KIND }).toEqual(inC)
})
