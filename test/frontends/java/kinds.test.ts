/** The numbers of record kinds in TypeScript and in Java are the same. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { KIND } from '../../../src/frontends/java/kinds.ts'

test('KIND has the constants of Kinds.java', () => {
  const source = new URL('../../../runtime/java/src/main/java/heddle/runtime/Kinds.java', import.meta.url)
  const constants = readFileSync(source, 'utf8').matchAll(/static final int (\w+) = (\d+);/g)
  expect(KIND).toEqual(Object.fromEntries([...constants].map(([, name, number]) => [name!, Number(number)])))
})
