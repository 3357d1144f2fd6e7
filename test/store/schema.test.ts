/** Shapes of JSON: what is taken, what is left out, and how a fault is said. */
import { expect, test } from 'vitest'
import {
  count,
  either,
  Fault,
  fields,
  flag,
  id,
  line,
  list,
  map,
  number,
  row,
  take,
  text,
  whole,
  word,
  type Shape,
} from '../../src/base/schema.ts'

const wrong = (value: unknown, shape: Shape): string => (take(value, shape) as Fault).text

test.each<[unknown, Shape, string]>([
  [5, text(), 'it is not a text of at most 16777216 characters'],
  ['abc', text(2), 'it is not a text of at most 2 characters'],
  ['a\u001bb', line(9), 'it is not one line of at most 9 characters without control characters'],
  ['../x', id, 'it is not an id (1 to 64 letters, digits and dashes)'],
  ['', id, 'it is not an id (1 to 64 letters, digits and dashes)'],
  [1.5, whole(0, 9), 'it is not a whole number from 0 to 9'],
  [Number.NaN, number(0, 9), 'it is not a number from 0 to 9'],
  [2 ** 53, count, 'it is not a whole number from 0 to 9007199254740991'],
  [1, flag, 'it is not true or false'],
  ['c', word('a', 'b'), 'it is not one of a, b'],
  [{}, list(flag), 'it is not a list of at most 1000000'],
  [[true, 0], list(flag), '"[1]" is not true or false'],
  [[1], row(count, count), 'it is not a list of 2'],
  [[], fields({}), 'it is not an object'],
  [{ a: { b: 1 } }, fields({ a: fields({ b: flag }) }), '"a.b" is not true or false'],
  [{}, fields({ a: flag }), '"a" is missing'],
  [{ 'x y': 1 }, map(flag), `"['x y']" is not true or false`],
  [{ kind: 'constructor' }, either('kind', { a: fields({}) }), '"kind" is not a'],
])('%j: %s', (value, shape, said) => expect(wrong(value, shape)).toBe(said))

test('fields that no shape names are left out, and the others keep their order', () => {
  const shape = fields({ a: count, '?b': flag, c: list(fields({ d: count })) })
  const json = JSON.parse('{"c":[{"d":1,"e":2}],"__proto__":{"x":1},"extra":[],"a":1}') as object
  expect(JSON.stringify(take(json, shape))).toBe('{"c":[{"d":1}],"a":1}')
  expect(take({ a: 1, b: undefined, c: [] }, shape)).toEqual({ a: 1, c: [] })
})
