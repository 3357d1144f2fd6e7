/**
 * The server as an oracle of the reading: random statements over small tables are carried out, and every row that came, went or changed has to be in a part that the reading says is
 * written. For reads: rows that the reading does not claim are taken away, and the answer has to stay the same.
 */
import { Random } from '../../src/base/random.ts'
import type { Dialect } from '../../src/resource/dialect.ts'
import { canonical, equalitiesOf, locationOf } from '../../src/resource/location.ts'
import { EVERYTHING, type Reading, type Touch } from '../../src/resource/reading.ts'
import { SqlReader } from '../../src/resource/sql/read.ts'

export type Row = Readonly<Record<string, unknown>>

export interface Server {
  all(sql: string): Promise<Row[]> | Row[]
}

const TABLES = ['t0', 't1', 't2']
const COLUMNS = ['id', 'a', 'b', 'c']
const ROWS = 6

export const DEFINITIONS = [
  ...TABLES.map((name) => `CREATE TABLE ${name} (id integer PRIMARY KEY, a integer, b integer, c text)`),
  'CREATE UNIQUE INDEX t1_c ON t1 (c)',
  'CREATE TABLE child (id integer PRIMARY KEY, a integer REFERENCES t2 (id) ON DELETE CASCADE, b integer, c text)',
  'CREATE VIEW v AS SELECT id, a, b FROM t0 WHERE a = 1',
]
const ALL = [...TABLES, 'child']

/** What rows a statement is carried out on. */
export const filling = (): string[] => [
  ...ALL.map((name) => `DELETE FROM ${name}`),
  ...TABLES.flatMap((name) => Array.from({ length: ROWS }, (_, i) => `INSERT INTO ${name} VALUES (${i}, ${i % 3}, ${i % 2}, 'x${i}')`)),
  ...Array.from({ length: ROWS }, (_, i) => `INSERT INTO child VALUES (${i}, ${i}, ${i % 2}, 'x${i % 3}')`),
]

export class Statements {
  private depth = 0

  constructor(private readonly random: Random) {}

  any(): string {
    return this.random.pick([() => this.select(), () => this.select(), () => this.update(), () => this.insert(), () => this.remove()])()
  }

  private table(): string {
    return this.random.pick(this.random.chance(0.1) ? ['child', 'v'] : TABLES)
  }

  private number(): string {
    return String(this.random.below(ROWS + 2))
  }

  /** A comparison that fits its column. */
  private comparison(prefix: string): string {
    const { random } = this
    const column = random.pick(COLUMNS)
    const name = `${prefix}${column}`
    const value = (): string => (column === 'c' ? `'x${random.below(ROWS)}'` : this.number())
    return random.pick([
      () => `${name} = ${value()}`,
      () => `${name} = ${value()}`,
      () => `${value()} = ${name}`,
      () => `${name} IN (${value()}, ${value()})`,
      () => `${name} <> ${value()}`,
      () => `${name} < ${value()}`,
      () => `${name} IS NOT NULL`,
      () => `${name} BETWEEN ${value()} AND ${value()}`,
      () => `coalesce(${name}, ${value()}) = ${value()}`,
      () => (column === 'c' ? `${name} LIKE 'x%'` : `${name} + 1 = ${value()}`),
      () => (column === 'c' ? `${name} = ${value()}` : `(${prefix}a, ${prefix}b) = (${this.number()}, ${this.number()})`),
      () => (column === 'c' || this.depth > 1 ? `${name} = ${value()}` : `${name} IN (${this.inner(column)})`),
    ])()
  }

  private inner(column: string): string {
    this.depth++
    const table = this.random.pick(TABLES)
    const text = `SELECT s.${column} FROM ${table} s WHERE ${this.condition('s.')}`
    this.depth--
    return text
  }

  condition(prefix: string): string {
    const { random } = this
    return random.pick([
      () => this.comparison(prefix),
      () => this.comparison(prefix),
      () => `${this.comparison(prefix)} AND ${this.comparison(prefix)}`,
      () => `${this.comparison(prefix)} OR ${this.comparison(prefix)}`,
      () => `NOT ${this.comparison(prefix)}`,
      () => `(${this.comparison(prefix)} OR ${this.comparison(prefix)}) AND ${this.comparison(prefix)}`,
      () => `NOT (${this.comparison(prefix)} AND ${this.comparison(prefix)}) OR ${this.comparison(prefix)}`,
      () => `CASE WHEN ${this.comparison(prefix)} THEN ${this.comparison(prefix)} ELSE ${this.comparison(prefix)} END`,
    ])()
  }

  select(): string {
    const { random } = this
    const order = 'ORDER BY 1, 2'
    return random
      .pick([
        () => `SELECT id, a FROM ${this.table()} WHERE ${this.condition('')} ${order}`,
        () => `SELECT count(*), max(b) FROM ${this.table()} WHERE ${this.condition('')}`,
        () =>
          `SELECT x.id, y.id FROM ${this.table()} x ${random.pick(['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN'])} ${this.table()} y ON ${this.join()} ${
            random.chance(0.5) ? `WHERE ${this.condition(random.pick(['x.', 'y.']))}` : ''
          } ${order}`,
        () =>
          `SELECT x.id, x.b FROM ${this.table()} x WHERE EXISTS (SELECT 1 FROM ${random.pick(TABLES)} y WHERE y.b = x.b AND ${this.condition('y.')}) ${order}`,
        () =>
          `SELECT id, a FROM ${this.table()} WHERE ${this.condition('')} UNION SELECT id, b FROM ${this.table()} WHERE ${this.condition('')} ${order}`,
        () =>
          `WITH w AS (SELECT id, a, b FROM ${this.table()} WHERE ${this.condition('')}) SELECT x.id, w.a FROM w JOIN t0 x ON x.id = w.b ${order}`,
        () =>
          `SELECT x.id, (SELECT max(s.a) FROM ${random.pick(TABLES)} s WHERE ${this.condition('s.')}) FROM ${this.table()} x WHERE ${this.condition('x.')} ${order}`,
      ])()
      .replaceAll(/FROM v\b([^]*)\bc\b/g, 'FROM t0$1c')
  }

  private join(): string {
    return this.random.pick([
      () => 'x.id = y.id',
      () => `x.a = y.b AND ${this.comparison('x.')}`,
      () => `x.id = y.id AND ${this.comparison('y.')}`,
    ])()
  }

  update(): string {
    const { random } = this
    const table = random.pick(ALL)
    const set = random.pick(['a = 1', 'b = b + 1', `a = ${this.number()}, b = 0`, `id = id + 100`, `c = 'y'`, `(a, b) = (1, 2)`, 'a = b'])
    return random.chance(0.3)
      ? `UPDATE ${table} SET ${set} FROM ${random.pick(TABLES)} y WHERE y.id = ${table}.id AND ${this.condition(random.pick([`${table}.`, 'y.']))}`
      : `UPDATE ${table} SET ${set} WHERE ${this.condition('')}`
  }

  insert(): string {
    const { random } = this
    const table = random.pick(TABLES)
    const id = random.chance(0.5) ? random.below(ROWS) : 10 + random.below(9)
    const row = `(${id}, ${this.number()}, ${this.number()}, 'x${random.below(ROWS)}')`
    return random.pick([
      () => `INSERT INTO ${table} (id, a, b, c) VALUES ${row}`,
      () => `INSERT INTO ${table} VALUES ${row}`,
      () => `INSERT INTO ${table} (id, a, b, c) VALUES ${row} ON CONFLICT (id) DO UPDATE SET a = 7, b = ${table}.b + 1`,
      () => `INSERT INTO t1 (id, a, b, c) VALUES ${row} ON CONFLICT (c) DO UPDATE SET a = excluded.a`,
      () => `INSERT INTO ${table} (id, a, b, c) VALUES ${row} ON CONFLICT DO NOTHING`,
      () => `INSERT INTO ${table} (id, a, b, c) SELECT id + 50, a, b, c || 'z' FROM ${random.pick(TABLES)} WHERE ${this.condition('')}`,
      () => `INSERT INTO ${table} (id, a) VALUES (${id}, 1), (${id + 20}, 2)`,
    ])()
  }

  remove(): string {
    const table = this.random.pick(ALL)
    return `DELETE FROM ${table} WHERE ${this.condition('')}`
  }
}

/** Is the row in the part? */
function covers(touch: Touch, table: string, row: Row): boolean {
  if (touch.whole === EVERYTHING) return true
  if (touch.whole !== table) return false
  if (touch.part === undefined) return true
  for (const [column, value] of equalitiesOf(touch.part))
    if (row[column] === null || canonical(String(row[column])) !== canonical(value)) return false
  return true
}

type Content = ReadonlyMap<string, readonly Row[]>

async function contents(server: Server): Promise<Content> {
  const found = new Map<string, readonly Row[]>()
  for (const table of ALL) found.set(table, await server.all(`SELECT id, a, b, c FROM ${table} ORDER BY id`))
  return found
}

/** Rows of either that the other has not. */
function difference(before: Content, after: Content): { table: string; row: Row }[] {
  return ALL.flatMap((table) => {
    const [old, now] = [before.get(table)!, after.get(table)!]
    const [had, has] = [new Set(old.map((row) => JSON.stringify(row))), new Set(now.map((row) => JSON.stringify(row)))]
    return [...old.filter((row) => !has.has(JSON.stringify(row))), ...now.filter((row) => !had.has(JSON.stringify(row)))].map((row) => ({
      table,
      row,
    }))
  })
}

export interface Wrong {
  readonly statement: string
  readonly says: string
  readonly row: string
}

export interface Tried {
  readonly wrong: Wrong[]
  statements: number
  /** Carried out, and not refused by the server. */
  accepted: number
  understood: number
  withPart: number
}

/** Each of the statements on fresh rows. */
export async function ask(server: Server, dialect: Dialect, seed: number, statements: number): Promise<Tried> {
  const random = new Random(seed)
  const made = new Statements(random)
  const reader = new SqlReader(dialect)
  for (const definition of DEFINITIONS) reader.read(definition)
  const tried: Tried = { wrong: [], statements: 0, accepted: 0, understood: 0, withPart: 0 }
  for (let i = 0; i < statements; i++) {
    const statement = made.any()
    const reading = reader.read(statement)
    tried.statements++
    if (reading.understood) tried.understood++
    if (reading.touches.some(({ part }) => part !== undefined)) tried.withPart++
    const wrong = /^(SELECT|WITH)/.test(statement)
      ? await readsMore(server, statement, reading, random)
      : await writesMore(server, statement, reading)
    if (wrong === 'refused') continue
    tried.accepted++
    if (wrong)
      tried.wrong.push({ statement, says: reading.touches.map((touch) => `${touch.access} ${locationOf(touch)}`).join('; '), row: wrong })
  }
  return tried
}

async function fill(server: Server): Promise<void> {
  await server.all(filling().join(';'))
}

async function writesMore(server: Server, statement: string, { touches }: Reading): Promise<string | undefined> {
  await fill(server)
  const before = await contents(server)
  try {
    await server.all(statement)
  } catch {
    return 'refused'
  }
  const written = touches.filter(({ access }) => access !== 'read')
  const outside = difference(before, await contents(server)).find(({ table, row }) => !written.some((touch) => covers(touch, table, row)))
  return outside && `${outside.table} ${JSON.stringify(outside.row)}`
}

async function readsMore(server: Server, statement: string, { touches }: Reading, random: Random): Promise<string | undefined> {
  await fill(server)
  let before: string
  try {
    before = JSON.stringify(await server.all(statement))
  } catch {
    return 'refused'
  }
  const rows = await contents(server)
  for (const table of ALL) {
    const unread = rows.get(table)!.filter((row) => !touches.some((touch) => covers(touch, table, row)))
    if (unread.length === 0) continue
    // The rows of child go along with those of t2.
    if (table === 't2' && touches.some(({ whole }) => whole === 'child')) continue
    const gone = random.chance(0.5) ? unread : [random.pick(unread)]
    await server.all(`DELETE FROM ${table} WHERE id IN (${gone.map(({ id }) => id).join()})`)
    if (JSON.stringify(await server.all(statement)) !== before) return `${table} ${JSON.stringify(gone[0])}`
    await fill(server)
  }
  return undefined
}
