// A cache evicts its oldest page when it is over its limit, which in the recorded run it looks at before the second page comes. Fails when a reader has found the page and not yet pinned it.
const { run, pause } = require('./_roles.cjs')
const [PAGES, SLOT, PINS] = [0, 1, 2]
const FREED = -1

run(__filename, {
  loader(cells) {
    Atomics.store(cells, SLOT, 11)
    Atomics.add(cells, PAGES, 1)
    pause(500)
    Atomics.add(cells, PAGES, 1)
  },
  evictor(cells) {
    pause(200)
    if (Atomics.load(cells, PAGES) < 2 || Atomics.load(cells, PINS) > 0) return
    Atomics.store(cells, SLOT, FREED)
  },
  reader(cells, right) {
    pause(320)
    if (Atomics.load(cells, SLOT) === FREED) return
    Atomics.add(cells, PINS, 1)
    const page = Atomics.load(cells, SLOT)
    Atomics.sub(cells, PINS, 1)
    if (page === FREED && !right) throw new Error('a page that is gone')
  },
})
