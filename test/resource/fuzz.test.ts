/** The readers answer for any text, in time. */
import { expect, test } from 'vitest'
import { Random } from '../../src/base/random.ts'
import { DIALECTS } from '../../src/resource/dialect.ts'
import { readMongo } from '../../src/resource/mongo.ts'
import { EVERYTHING, type Reading } from '../../src/resource/reading.ts'
import { readRedis } from '../../src/resource/redis.ts'
import { SqlReader } from '../../src/resource/sql/read.ts'
import { Statements } from './oracle.ts'

const PIECES = (
  "SELECT INSERT INTO UPDATE DELETE FROM WHERE SET VALUES ( ) ( ) , ; . = <> AND OR NOT IN ANY JOIN LEFT ON USING AS t a b id * 'x' \" ' ` $1 ? $$ $a$ /* */ -- [ ] :: : WITH CASE WHEN END " +
  'ORDER BY LIMIT FOR UPDATE LOCK TABLE CREATE UNIQUE INDEX VIEW TRIGGER ALTER DROP ON CONFLICT DO RETURNING MERGE MATCHED COPY PREPARE EXECUTE EXPLAIN BEGIN COMMIT \\ \0 é 0x1 1e9 PRIMARY KEY REFERENCES'
).split(' ')

function whole({ touches, understood }: Reading): void {
  if (!understood) expect(touches.some((touch) => touch.whole === EVERYTHING)).toBe(true)
}

test('soups of words, and statements with pieces missing or doubled, are read or not, and nothing is thrown', { timeout: 60_000 }, () => {
  const random = new Random(7)
  const statements = new Statements(random)
  const readers = DIALECTS.map((dialect) => new SqlReader(dialect))
  for (let i = 0; i < 1000; i++) {
    let text: string
    if (random.chance(0.5)) text = Array.from({ length: random.below(30) }, () => random.pick(PIECES)).join(random.chance(0.5) ? ' ' : '')
    else {
      text = statements.any()
      const [from, to] = [random.below(text.length), random.below(text.length)]
      text = random.chance(0.5) ? text.slice(0, from) + text.slice(to) : text.slice(0, from) + random.pick(PIECES) + text.slice(from)
    }
    for (const reader of readers) whole(reader.read(text, random.pick([undefined, [], [1, 'x', null], { a: 1 }, [[1, 2]]])))
  }
})

test('texts that are deep or long are read in time that grows with their length', { timeout: 60_000 }, () => {
  const many = 4000
  const texts = [
    `SELECT ${'f('.repeat(many)}`,
    `SELECT ${'('.repeat(many)}1${')'.repeat(many)}`,
    `SELECT ${'CASE WHEN 1 THEN '.repeat(many)}`,
    `SELECT ${'NOT '.repeat(many)}1`,
    `SELECT ${'- '.repeat(many)}1`,
    `SELECT * FROM ${'('.repeat(many)}`,
    `SELECT 1${' UNION SELECT 1'.repeat(many / 4)}`,
    `SELECT 1 WHERE ${Array.from({ length: many / 4 }, (_, i) => `a = ${i}`).join(' OR ')}`,
    `SELECT 1 WHERE ${Array.from({ length: many / 4 }, (_, i) => `(a = ${i} OR b = 1)`).join(' AND ')}`,
    `INSERT INTO t (id) VALUES ${'(1),'.repeat(many / 2)}(2)`,
    `${'/*'.repeat(many)}`,
    `${'/* */ '.repeat(many / 4)} SELECT 1`,
    `${'$$ $$ '.repeat(many / 4)}`,
    `SELECT '${"''".repeat(many)}'`,
    'SELECT 1;'.repeat(many / 4),
    'x'.repeat(1_000_000),
  ]
  for (const dialect of DIALECTS) for (const text of texts) whole(new SqlReader(dialect).read(text))
})

test('parameters that throw or refer to themselves do no harm', () => {
  const hostile = new Proxy([], {
    get() {
      throw new Error('no')
    },
  })
  expect(new SqlReader('postgres').read('SELECT * FROM t WHERE id = $1', hostile).understood).toBe(false)
  const circle: Record<string, unknown> = { find: 'a' }
  circle['filter'] = circle
  expect(readMongo(circle).title).toMatch(/^find a/)
  for (const bad of [hostile, circle, () => 1, Number.NaN]) {
    whole(readRedis(bad, [bad]))
    whole(readMongo(bad))
  }
})
