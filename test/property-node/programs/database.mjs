// Seed 003, Figure 11: a table is created, updated and deleted before the connection is closed, in this order. Here nobody waits for the update.
import { readFile } from 'node:fs/promises'

class Connection {
  open = true
  createTable(_table) {}
  deleteTable(_table) {}
  execute(_sql) {}
  close() {
    this.open = false
  }
}
const DriverManager = {
  getConnection() {
    return new Connection()
  },
}
const pause = () => readFile(import.meta.filename)

const conn = DriverManager.getConnection()
conn.createTable('users')
async function update() {
  await pause()
  conn.execute("insert into users values ('x')")
}
async function end() {
  for (let i = 0; i < 6; i++) await pause()
  conn.deleteTable('users')
  conn.close()
}
await Promise.all([update(), end()])
