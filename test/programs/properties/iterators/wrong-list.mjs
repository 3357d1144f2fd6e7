// UnsafeIterator: a list of the program's own is changed while another flow goes through it (seed 003, Figure 2).
// flags: --timers latency --property library:UnsafeIterator --max-findings 1 --confirm 1

class List {
  items = ['a', 'b']
  iterator() {
    return new Cursor(this.items)
  }
  add(item) {
    this.items.push(item)
  }
}
class Cursor {
  at = 0
  constructor(items) {
    this.items = items
  }
  next() {
    return this.items[this.at++]
  }
}

const list = new List()
const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
setTimeout(async () => {
  const cursor = list.iterator()
  await after(5)
  cursor.next() // expect UnsafeIterator
}, 1)
setTimeout(() => list.add('c'), 60)
