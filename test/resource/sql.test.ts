/** Statements and what they are read as, drawn in one line each (drawn.ts). */
import { expect, test } from 'vitest'
import { SqlReader } from '../../src/resource/sql/read.ts'
import type { Dialect } from '../../src/resource/dialect.ts'
import type { Params } from '../../src/resource/fill.ts'
import { drawn } from './drawn.ts'

const read = (dialect: Dialect, ...statements: (string | [text: string, params: Params])[]): string => {
  const reader = new SqlReader(dialect)
  return statements.map((one) => drawn(typeof one === 'string' ? reader.read(one) : reader.read(...one))).at(-1)!
}
const pg = (...statements: (string | [text: string, params: Params])[]): string => read('postgres', ...statements)
const mysql = (...statements: (string | [text: string, params: Params])[]): string => read('mysql', ...statements)
const sqlite = (...statements: (string | [text: string, params: Params])[]): string => read('sqlite', ...statements)

test('a row is told by the equalities of its condition', () => {
  expect(pg(['SELECT stock FROM items WHERE id = $1', [7]])).toBe('read items[id=7].stock+id')
  expect(pg("SELECT * FROM items WHERE sku = 'a' AND shop = 3 AND price > 2")).toBe('read items[shop=3,sku=a]')
  expect(pg('SELECT * FROM items WHERE 7 = id')).toBe('read items[id=7]')
  expect(pg('SELECT a FROM items')).toBe('read items.a')
  expect(pg('SELECT * FROM items WHERE id = 7 AND shop = 3')).toBe('read items[id=7]')
})

test('lists of values are several rows; a long list is the whole table', () => {
  expect(pg('SELECT * FROM t WHERE id IN (1, 2)')).toBe('read t[id=1]; read t[id=2]')
  expect(pg(['SELECT * FROM t WHERE id = ANY($1::int[])', [[1, 2]]])).toBe('read t[id=1]; read t[id=2]')
  expect(pg('SELECT * FROM t WHERE (a, b) IN ((1, 2), (3, 4))')).toBe('read t[a=1,b=2]; read t[a=3,b=4]')
  expect(pg('SELECT * FROM t WHERE a = 1 OR a = 2')).toBe('read t[a=1]; read t[a=2]')
  expect(pg('SELECT * FROM t WHERE a = 1 OR b > 2')).toBe('read t')
  expect(pg(`SELECT * FROM t WHERE id IN (${Array.from({ length: 30 }, (_, i) => i).join()})`)).toBe('read t')
  expect(mysql(['SELECT * FROM t WHERE id IN (?)', [[1, 2]]])).toBe('read t[id=1]; read t[id=2]')
})

test('what is not a plain equality of a column with a value tells no row', () => {
  for (const condition of [
    'NOT id = 7',
    'id <> 7',
    'id + 1 = 7',
    'id::text = $1',
    'lower(id) = $1',
    'id = other',
    'id IS NULL',
    'id = 7 IS TRUE',
    'id = NULL',
    "at = '2020-01-01'",
  ])
    expect(pg([`SELECT 1 FROM t WHERE ${condition}`, ['x']])).toMatch(/^read t(\.[\w+]+)?$/)
})

test('columns belong to the table they are qualified by; those of a LEFT JOIN do not restrict its left side', () => {
  expect(pg('SELECT a.x FROM a JOIN b ON b.a_id = a.id WHERE a.id = 1 AND b.y = 2')).toBe('read a[id=1].x+id; read b[y=2].a_id+y')
  expect(pg('SELECT a.x FROM a LEFT JOIN b ON b.y = 2 AND a.id = 1')).toBe('read a.x+id; read b[y=2].y')
  expect(pg('SELECT a.x FROM a RIGHT JOIN b ON b.y = 2 AND a.id = 1')).toBe('read a[id=1].x+id; read b.y')
  expect(pg('SELECT 1 FROM a, b WHERE id = 1')).toBe('read a.id; read b.id')
  expect(pg('SELECT 1 FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x = a.x AND b.y = 2)')).toBe('read b[y=2].x+y; read a.x')
})

test('all columns of a table are read where its name says so before the table is named', () => {
  expect(pg('SELECT p.* FROM items p WHERE p.id = 7')).toBe('read items[id=7]')
  expect(pg('SELECT a.*, b.x FROM a JOIN b ON b.a_id = a.id')).toBe('read a; read b.x+a_id')
  expect(pg('SELECT (SELECT a.x FROM b WHERE b.id = 1), a.* FROM a')).toBe('read b[id=1].id; read a')
  expect(pg('SELECT row_to_json(p) FROM items p WHERE p.id = 7')).toBe('read items[id=7]')
  expect(sqlite('SELECT items.* FROM items WHERE id = 7')).toBe('read items[id=7]')
})

test('sub-selects and WITH clauses are read where they stand', () => {
  expect(pg('WITH w AS (SELECT * FROM t WHERE id = 1) SELECT * FROM w')).toBe('read t[id=1]')
  expect(pg('SELECT (SELECT max(x) FROM u WHERE id = 2) FROM t')).toBe('read u[id=2].x+id; read t.')
  expect(pg('SELECT * FROM a UNION ALL SELECT * FROM b WHERE id = 1 ORDER BY 1')).toBe('read a; read b[id=1]')
  expect(pg('WITH d AS (DELETE FROM q WHERE id = 4 RETURNING *) INSERT INTO old (id) SELECT id FROM d')).toBe(
    'write q[id=4] members; write old.id members',
  )
})

test('a change that computes from the row or looks at it first is one step', () => {
  expect(pg('UPDATE items SET stock = 3 WHERE id = 7')).toBe('write items[id=7].stock')
  expect(pg('UPDATE items SET stock = stock - 1 WHERE id = 7')).toBe('update items[id=7].stock')
  expect(pg('UPDATE items SET stock = 3 WHERE id = 7 AND stock > 0')).toBe('update items[id=7].stock if stock')
  expect(pg('UPDATE t SET x = u.x FROM u WHERE u.id = t.u_id AND t.id = 1')).toBe('read u.x+id; update t[id=1].x if u_id')
  expect(mysql('UPDATE t JOIN u ON t.id = u.id SET t.x = u.x WHERE u.y = 3')).toBe('write t.x; read u[y=3].id+x+y')
  expect(pg('DELETE FROM t WHERE id = 1')).toBe('write t[id=1] members')
  expect(pg('DELETE FROM t USING u WHERE t.id = 1 AND u.id = t.u')).toBe('read u.id; update t[id=1] members if u')
})

test('a row that moves to another part is in both', () => {
  expect(pg('UPDATE t SET owner = 2 WHERE owner = 1')).toBe('write t[owner=1].owner; write t[owner=2].owner')
  expect(pg('UPDATE t SET owner = owner + 1 WHERE owner = 1')).toBe('update t[owner=1].owner; update t.owner')
})

test('inserted rows have their keys; constraints that statements made refuse a second', () => {
  expect(pg("INSERT INTO t (id, note) VALUES (1, 'x'), (2, 'y')")).toBe('write t[id=1].id+note members; write t[id=2].id+note members')
  expect(pg('CREATE TABLE u (id serial PRIMARY KEY, email text UNIQUE)', ['INSERT INTO u (email) VALUES ($1)', ['a@b']])).toBe(
    'update u[email=a@b].email members unique email=a@b',
  )
  expect(pg('CREATE UNIQUE INDEX i ON s (room, hour)', 'SELECT * FROM s WHERE hour = 3 AND room = 1 AND x = 2')).toBe(
    'read s[hour=3,room=1]',
  )
  expect(pg('INSERT INTO t (id, n) VALUES (1, 0) ON CONFLICT (id) DO UPDATE SET n = t.n + 1')).toBe(
    'update t[id=1].id+n members unique id=1; update t[id=1].n members',
  )
  expect(mysql('INSERT INTO t (id, n) VALUES (1, 0) ON DUPLICATE KEY UPDATE n = n + 1')).toBe(
    'update t[id=1].id+n members; update t.n members',
  )
  expect(sqlite('INSERT OR REPLACE INTO t (id) VALUES (?)')).toBe('update t.id members; update t members')
  expect(pg('INSERT INTO t SELECT * FROM u')).toBe('read u; write t members')
})

test('what hangs on a table changes with it, as far as statements said so', () => {
  expect(pg('CREATE TABLE c (p int REFERENCES p(id) ON DELETE CASCADE)', 'DELETE FROM p WHERE id = 1')).toBe(
    'write p[id=1] members; write c members',
  )
  expect(pg('CREATE VIEW v AS SELECT * FROM t WHERE x', 'SELECT * FROM v WHERE id = 1')).toBe('read t')
  expect(pg('CREATE TRIGGER g AFTER INSERT ON t EXECUTE FUNCTION f()', 'INSERT INTO t (id) VALUES (1)')).toMatch(/not understood$/)
})

test('locks of rows, tables and applications', () => {
  expect(pg(['SELECT * FROM t WHERE id = $1 FOR UPDATE', [1]])).toBe('read t[id=1]; lock t[id=1] until transaction')
  expect(pg('SELECT * FROM t JOIN u USING (id) FOR NO KEY UPDATE OF u SKIP LOCKED')).toBe('read t; read u; lock u until transaction skips')
  expect(mysql('SELECT * FROM t WHERE id = 1 LOCK IN SHARE MODE')).toBe('read t[id=1]; lock t[id=1] until transaction shared')
  expect(pg('LOCK TABLE t IN EXCLUSIVE MODE NOWAIT')).toBe('lock t until transaction')
  expect(mysql('LOCK TABLES t WRITE, u READ')).toBe('lock t until release; lock u until release shared')
  expect(mysql('UNLOCK TABLES')).toBe('unlock database')
  expect(pg(['SELECT pg_advisory_xact_lock($1)', [9]])).toBe('lock advisory 9 until transaction')
  expect(pg('SELECT pg_try_advisory_lock(1, 2)')).toBe('lock advisory 1,2 until release tries')
  expect(pg('SELECT pg_advisory_unlock(1, 2)')).toBe('unlock advisory 1,2')
  expect(mysql("SELECT GET_LOCK('pay', 5)")).toBe('lock advisory pay until release tries')
})

test('transactions and their isolation are read', () => {
  expect(pg('BEGIN ISOLATION LEVEL SERIALIZABLE')).toBe('begin; serializable')
  expect(pg('START TRANSACTION')).toBe('begin')
  expect(sqlite('BEGIN IMMEDIATE')).toBe('begin')
  expect(pg('COMMIT')).toBe('commit')
  expect(pg('ROLLBACK')).toBe('rollback')
  expect(pg('ROLLBACK TO SAVEPOINT a')).toBe('')
  expect(pg('SAVEPOINT a')).toBe('')
  expect(pg('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')).toBe('repeatable read')
  expect(mysql('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED')).toBe('read committed from now on')
  expect(pg('BEGIN; UPDATE t SET x = 1; COMMIT')).toBe('write t.x')
})

test('prepared statements, channels and sequences are read', () => {
  expect(pg('PREPARE p (int) AS SELECT * FROM t WHERE id = $1', 'EXECUTE p (5)')).toBe('read t[id=5]')
  expect(pg('EXECUTE nobody(1)')).toBe('update database; not understood')
  expect(pg("NOTIFY news, 'x'")).toBe('write channel news')
  expect(pg('LISTEN news')).toBe('read channel news')
  expect(pg("SELECT nextval('s')")).toBe('update sequence s')
})

test('names are those of the user, in one form', () => {
  expect(pg('SELECT * FROM public."Items" i WHERE i."ownerId" = 1')).toBe('read Items[ownerId=1]')
  expect(pg('SELECT * FROM Shop.ITEMS')).toBe('read shop.items')
  expect(mysql('SELECT * FROM `a b` WHERE `ID` = 1')).toBe('read a b[id=1]')
  expect(sqlite('SELECT * FROM [a b] WHERE "C" = 1')).toBe('read a b[c=1]')
})

test('texts, numbers and comments of each dialect', () => {
  expect(pg("SELECT $$;'$$, $a$ $$ $a$, E'\\'', 'it''s' /* a /* b */ ; */ FROM t -- ;\nWHERE id = 'x;y'")).toBe('read t[id=x;y].id')
  expect(mysql('SELECT "a;b", \'it\\\'s\' FROM t # ;\nWHERE id = "x"')).toBe('read t[id=x].id')
  expect(sqlite(['SELECT * FROM t WHERE id = :id', [{ id: 3 }]])).toBe('read t[id=3]')
})

test('what cannot be read touches everything', () => {
  for (const text of ['', '   ']) expect(pg(text)).toBe('')
  for (const text of [
    'CALL p()',
    'DO $$ BEGIN END $$',
    'SELECT my_function(1)',
    'SELECT * FROM',
    "SELECT 'open",
    'SELEC 1',
    'SELECT 1 FROM t WHERE',
    ')',
    'TRUNCATE t CASCADE',
    `SELECT ${'('.repeat(5000)}1`,
  ])
    expect(pg(text)).toMatch(/update database; not understood$/)
  expect(mysql('/*!40000 DROP TABLE t */')).toMatch(/not understood$/)
})

test('a text that is used again costs no second reading, and its parameters are those of the use', () => {
  const reader = new SqlReader('postgres')
  const text = 'SELECT * FROM t WHERE id = $1'
  expect(drawn(reader.read(text, [1]))).toBe('read t[id=1]')
  expect(drawn(reader.read(text, [2]))).toBe('read t[id=2]')
  expect(drawn(reader.read(text, [null]))).toBe('read t')
  expect(drawn(reader.read(text, [{ a: 1 }]))).toBe('read t')
  expect(drawn(reader.read(text))).toBe('read t')
})
