// Rows are collected and written in batches. A row that comes during a write goes into the next batch. Fails when a row comes during the write and the next write is through before the first.
const { readFile, stat } = require('node:fs/promises')
const RIGHT = process.argv[2] === 'right'

const log = { rows: ['a'], writing: null, written: [], last: 0 }

async function flush(n) {
  const batch = log.rows.splice(0)
  const before = log.writing
  if (RIGHT) await before
  await readFile(__filename)
  if (n < log.last) throw new Error(`batch ${n} was written after batch ${log.last}`)
  log.last = n
  log.written.push(...batch)
}

async function writer() {
  log.writing = flush(1)
  await log.writing
  log.writing = null
}

async function reader() {
  for (let i = 0; i < 16; i++) await stat(__filename)
  const during = log.writing !== null
  log.rows.push('b')
  if (during) await flush(2)
  for (let i = 0; i < 3; i++) await stat(__filename)
}

writer()
reader()
