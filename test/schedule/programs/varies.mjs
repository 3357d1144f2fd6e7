// Read and close as in read-close.mjs, but every run begins with something else: what a schedule names does not come up again.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'

const runs = existsSync('runs.txt') ? Number(readFileSync('runs.txt', 'utf8')) : 0
writeFileSync('runs.txt', String(runs + 1))
const file = await open(import.meta.filename)

async function reader() {
  await readFile(import.meta.filename)
  await file.read(Buffer.alloc(10), 0, 10, 0).catch(() => {})
}
async function closer() {
  for (let i = 0; i < 30; i++) await readFile('varies.prop')
  await file.close()
}
async function other() {
  await readFile('varies.prop')
}
const begun = []
for (let i = 0; i < (runs % 6) * 3; i++) begun.push(other())
begun.push(reader(), closer())
await Promise.all(begun)
