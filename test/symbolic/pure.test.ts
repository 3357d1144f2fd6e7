import { expect, test } from 'vitest'
import { PURE as RECORDED } from '../../src/runtime/js/paths/pure.ts'
import { PURE } from '../../src/symbolic/pure.ts'

test('what the runtime calls pure can be computed', () => {
  expect([...RECORDED.values()].map(({ name }) => name).filter((name) => !PURE.has(name))).toEqual([])
})

test('objects go only where they are understood', () => {
  const differ = [...RECORDED.values()].filter(({ name, takesObjects }) => takesObjects && PURE.get(name)?.takesObjects !== true)
  expect(differ.map(({ name }) => name)).toEqual([])
})
