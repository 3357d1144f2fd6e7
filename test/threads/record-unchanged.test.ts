/**
 * Programs that use shared memory in every odd way see what they see without the recorder: values, errors in the engine's words, and how often
 * their own code is called. Each line below is one expression; the program prints what became of all of them.
 */
import { describe, expect, test } from 'vitest'
import { both, NODES, program } from './record-run.ts'

const VIEWS = 'i8 u8 c8 i16 u16 i32 u32 f32 f64 b64 bu64'.split(' ')
const some = (views: readonly string[], ...make: ((view: string) => string)[]): string[] =>
  views.flatMap((view) => make.map((m) => m(view)))
const each = (values: readonly string[], make: (value: string) => string[]): string[] => values.flatMap(make)

const ODD = [
  '"7"',
  'true',
  'null',
  'undefined',
  '1.9',
  '-1.9',
  'NaN',
  'Infinity',
  '-0',
  '300',
  '2**40',
  '5n',
  '2n**70n',
  'says(3)',
  'says(3n)',
  'Symbol()',
  '{}',
]
const CHANGES = ['store', 'add', 'sub', 'and', 'or', 'xor', 'exchange', 'compareExchange']

const atomics = [
  ...each(['load', ...CHANGES, 'notify', 'wait', 'waitAsync'], (name) =>
    each(['c8', 'f64', '[]', 'null', 'new Int32Array(4)', 'dv', 'i32', 'b64', 'u8'], (view) =>
      ['0', '99', '-1', '1.5', '"0"', 'undefined', 'NaN', 'Symbol()', '1n', 'says(0)'].map((index) =>
        name.startsWith('wait')
          ? `still(Atomics.${name}(${view}, ${index}, ${view === 'b64' ? '77n' : 77}, 1))`
          : `Atomics.${name}(${view}, ${index}, ${view === 'b64' ? '3n, 4n' : '3, 4'})`,
      ),
    ),
  ),
  ...each(CHANGES, (name) =>
    each(ODD, (value) => some(['i8', 'u32', 'b64'], (view) => `[Atomics.${name}(${view}, 1, ${value}, ${value}), ${view}[1]]`)),
  ),
  ...each(['-1', '0', '2.7', 'NaN', 'null', '"3"', '5n', 'Infinity', 'says(1)'], (count) => [`Atomics.notify(i32, 0, ${count})`]),
  ...each(['0', '-5', 'null', '"0"', '5n', 'Symbol()', 'says(0)'], (ms) => [
    `Atomics.wait(i32, 6, 0, ${ms})`,
    `still(Atomics.waitAsync(i32, 6, 0, ${ms}))`,
  ]),
  'Atomics.isLockFree(4)',
  'Object.keys(Atomics)',
  'Atomics.add.name + Atomics.add.length',
  'new Atomics.add()',
  'String(Atomics)',
  '(0, Atomics.add)(i32, 3, 1)',
  '(({ add }) => add(i32, 3, 1))(Atomics)',
  'Reflect.apply(Atomics.add, null, [i32, 3, 1])',
  'i32[3]',
]

const elements = [
  ...each(ODD, (value) =>
    some(
      VIEWS,
      (view) => `[${view}[1] = ${value}, ${view}[1]]`,
      (view) => `[${view}[99] = ${value}, ${view}[99]]`,
      (view) => `[${view}["0"] = ${value}, ${view}[0]]`,
      (view) => `[${view}[1] += ${value}, ${view}[1]]`,
    ),
  ),
  ...each(['"-0"', '-1', '1.5', '"01"', '"1e0"', '"x"', 'NaN', '1n', 'key("1")', 'key("x")', 'Symbol.for("s")', '-0', '2**53'], (key) =>
    some(
      ['i32', 'b64'],
      (view) => `[${view}[${key}] = ${view}[0], ${view}[${key}], ${view}[1]]`,
      (view) => `${view}[${key}]++`,
      (view) => `${key} in ${view}`,
    ),
  ),
  ...some(
    ['i8', 'c8', 'u32', 'f64', 'b64'],
    (view) => `[${view}[1]++, ${view}[1], ++${view}[1], ${view}[1]--, --${view}[1], ${view}["1"]--, ${view}[99]++, --${view}.x, ${view}.x]`,
    (view) => `[delete ${view}[0], 0 in ${view}, 99 in ${view}, typeof ${view}[99]]`,
    (view) => `(([a, , b, ...c]) => [a, b, c])(${view})`,
    (view) => `(({ 0: a, 5: b, 99: c, length, ...rest }) => [a, b, c, length, rest])(${view})`,
    (view) => `([${view}[0], ${view}[1]] = [${view}[1], ${view}[0]], [${view}[0], ${view}[1]])`,
    (view) => `({ x: ${view}[2], y: ${view}[99] } = { x: ${view}[0], y: ${view}[0] }, ${view}[2])`,
    (view) => `(() => { for (${view}[1] of [${view}[0], ${view}[2]]) ; return ${view}[1] })()`,
    (view) => `[${view}.subarray(1, 3)[1], ${view}.subarray(1, 3)[1] = ${view}[0], ${view}[2]]`,
    (view) => `[${view}[1] ??= ${view}[0], ${view}[0] ||= ${view}[1], ${view}[0] &&= ${view}[2], ${view}[99] ??= ${view}[0]]`,
    (view) => `${view}[1] **= ${view}[1] - ${view}[1]`,
    (view) => `${view}?.[1]`,
    (view) => `[${view}.at(-1), ${view}.at(99), ${view}.at(), ${view}.at("1"), ${view}.at(says(1))]`,
    (view) => `[...${view}.keys(), ...${view}.entries()]`,
    (view) => `[Object.keys(${view}), JSON.stringify(Object.getOwnPropertyDescriptor(${view}, 99)), String(${view})]`,
  ),
]

const ranges = some(
  ['u8', 'f64', 'b64'],
  (view) => `${view}.fill(one(${view}), 1, -1)`,
  (view) => `${view}.fill(says(one(${view})), says(0), says(2))`,
  (view) => `${view}.fill(${view === 'b64' ? 1 : '1n'})`,
  (view) => `${view}.set([one(${view}), one(${view})], 1)`,
  (view) => `${view}.set([one(${view})], 999)`,
  (view) => `${view}.set([one(${view})], -1)`,
  (view) => `${view}.set([${view === 'b64' ? 1 : '1n'}])`,
  (view) => `${view}.set({ length: 1, 0: one(${view}) }, 2)`,
  (view) => `${view}.set(${view}.subarray(0, 2), 2)`,
  (view) => `new ${view}.constructor(4).set(${view}.subarray(0, 2), 2)`,
  (view) => `${view}.copyWithin(0, 2, 4)`,
  (view) => `${view}.copyWithin(-2, -4, 99)`,
  (view) => `[${view}.slice(), ${view}.slice(1, 2), ${view}.slice(-2), ${view}.slice(3, 1), ${view}.slice(says(1))]`,
  (view) => `${view}.sort()`,
  (view) => `${view}.sort((a, b) => (calls.push('compare'), a < b ? 1 : a > b ? -1 : 0)) === ${view}`,
  (view) => `${view}.sort(5)`,
  (view) => `${view}.sort(() => { throw new Error('mine') })`,
  (view) => `[${view}, ${view}.reverse()]`,
  (view) => `[${view}.indexOf(one(${view})), ${view}.lastIndexOf(one(${view})), ${view}.includes(one(${view}), 3), ${view}.join('-')]`,
  (view) => `${view}.map((x) => x + one(${view}))`,
  (view) => `[${view}.filter((x) => x), ${view}.reduce((a, x) => a + x), ${view}.find((x) => x), ${view}.some((x) => x)]`,
  (view) => `${view}.forEach(5)`,
  (view) => `[...${view}].concat(Array.from(${view}, String))`,
  (view) => `(() => { const got = []; for (const x of ${view}) got.push(x); return got })()`,
  (view) => `[${view}.toSorted?.((a, b) => (a < b ? 1 : -1)), ${view}.toReversed?.(), ${view}.with?.(0, one(${view}))]`,
  (view) => `${view}.with(99, one(${view}))`,
  (view) => `[${view}.fill.name, ${view}.fill.length, ${view}[Symbol.iterator] === ${view}.values, ${view}[Symbol.iterator].name]`,
)

const TYPES = ['Int8', 'Uint8', 'Int16', 'Uint16', 'Int32', 'Uint32', 'Float16', 'Float32', 'Float64', 'BigInt64', 'BigUint64']
const dataViews = each(TYPES, (type) =>
  each(['0', '3', '60', '-1', 'undefined'], (at) =>
    each(['-2', '1.5', '5n', 'says(2)'], (value) => [
      `[dv.set${type}(${at}, ${value}), dv.get${type}(${at}), dv.set${type}(${at}, ${value}, true), dv.get${type}(${at}, true), dv.get${type}(${at})]`,
    ]),
  ),
)

const files = (expressions: readonly string[]): Record<string, string> =>
  program(`const seen = [], calls = [], sab = new SharedArrayBuffer(64)
const i8 = new Int8Array(sab), u8 = new Uint8Array(sab), c8 = new Uint8ClampedArray(sab), i16 = new Int16Array(sab), u16 = new Uint16Array(sab)
const i32 = new Int32Array(sab), u32 = new Uint32Array(sab), f32 = new Float32Array(sab), f64 = new Float64Array(sab)
const b64 = new BigInt64Array(sab), bu64 = new BigUint64Array(sab), dv = new DataView(sab)
const one = (view) => (view === b64 ? 1n : 1)
const says = (value) => ({ valueOf() { calls.push(String(value)); u8[63] = 1; return value } })
const key = (text) => ({ toString() { calls.push(text); u8[63] = 2; return text } })
const still = (result) => (typeof result === 'object' && result.async ? 'async' : result)
${expressions.map((code) => `try { seen.push(${code}) } catch (error) { seen.push(error.name + ': ' + error.message) }`).join('\n')}
print({ seen, calls })`)

describe.each(NODES)('%s', (_name, node) => {
  test.each([
    ['Atomics', atomics],
    ['elements', elements],
    ['ranges', ranges],
    ['DataView', dataViews],
  ])('%s', async (_what, expressions) => {
    const { plain, recorded } = await both(files(expressions), node)
    expect(recorded.stderr).toBe(plain.stderr)
    const [was, is] = [plain, recorded].map(({ stdout }) => JSON.parse(stdout) as { seen: unknown[]; calls: unknown[] })
    const differ = expressions.flatMap((code, i) => {
      const [a, b] = [JSON.stringify(was!.seen[i]), JSON.stringify(is!.seen[i])]
      return a === b ? [] : [`${code}: ${a}, recorded ${b}`]
    })
    expect(differ.slice(0, 10)).toEqual([])
    expect(is!.calls).toEqual(was!.calls)
  })
})
