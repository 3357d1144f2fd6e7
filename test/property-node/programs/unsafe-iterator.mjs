// Seed 003, Figures 2 and 3: one flow iterates, the other adds. The recorded run has iterated when the other adds.
import { readFile } from 'node:fs/promises'

class List {
  items = []
  add(item) {
    this.items.push(item)
  }
  iterator() {
    return new Cursor(this)
  }
}
class Cursor {
  at = 0
  constructor(list) {
    this.list = list
  }
  next() {
    return this.list.items[this.at++]
  }
}

const c = new List()
const pause = () => readFile(import.meta.filename)

async function first() {
  await pause()
  const i1 = c.iterator()
  await pause()
  i1.next()
}
async function second() {
  for (let i = 0; i < 6; i++) await pause()
  c.add('B')
  const i2 = c.iterator()
  i2.next()
}
c.add('A')
await Promise.all([first(), second()])
