/** Two purchases with one gift card, in transactions of MariaDB. Its REPEATABLE READ lets the second writer overwrite the first. */
// expects: atomicity at cards[id=9]
// protection: FOR UPDATE
import assert from 'node:assert/strict'
import { bodyParser } from '@koa/bodyparser'
import Koa from 'koa'
import mariadb from 'mariadb'
import { choose, clients, here, listening, postJson } from './_parts.mjs'

const { hostname: host, port, username: user, pathname } = new URL(process.env.MARIADB_URL)
const pool = mariadb.createPool({ host, port: Number(port), user, database: pathname.slice(1), connectionLimit: 4 })
await pool.query('DROP TABLE IF EXISTS cards')
await pool.query('CREATE TABLE cards (id int PRIMARY KEY, cents int NOT NULL) ENGINE = InnoDB')
await pool.query('INSERT INTO cards VALUES (9, 5000)')

const look = choose({ wrong: 'SELECT cents FROM cards WHERE id = ?', right: 'SELECT cents FROM cards WHERE id = ? FOR UPDATE' })

async function spend(id, cents) {
  const connection = await pool.getConnection()
  await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
  await connection.beginTransaction()
  const [card] = await connection.query(look, [id]) // bug
  await here()
  await connection.query('UPDATE cards SET cents = ? WHERE id = ?', [card.cents - cents, id]) // bug
  await connection.commit()
  await connection.release()
}

const app = new Koa()
app.use(bodyParser())
app.use(async (context) => {
  await spend(9, context.request.body.cents)
  context.body = { spent: true }
})
const { url, close } = await listening(app.listen(0, '127.0.0.1'))
await clients(
  () => postJson(`${url}/cards/9`, { cents: 1000 }),
  () => postJson(`${url}/cards/9`, { cents: 2500 }),
)
const [card] = await pool.query('SELECT cents FROM cards WHERE id = 9')
assert.equal(card.cents, 1500)
await close()
await pool.end()
console.log('both spent')
