/** Listeners are there before the work starts, `once` fires once, errors go to the error listener. */
const assert = require('node:assert')
const { EventEmitter } = require('node:events')
const fs = require('node:fs')

class Reader extends EventEmitter {
  start(files) {
    let open = files.length
    for (const file of files) {
      fs.stat(file, (error, stats) => {
        if (error) this.emit('error', error)
        else this.emit('file', file, stats.size)
        if (--open === 0) this.emit('end')
      })
    }
    return this
  }
}

const reader = new Reader()
const seen = new Set()
const errors = []
let first = 0
reader.once('file', () => first++)
reader.on('file', (file) => seen.add(file))
reader.on('error', (error) => errors.push(error.code))
reader.on('end', () => {
  assert.equal(first, 1)
  assert.equal(seen.size, 2)
  assert.deepEqual(errors, ['ENOENT'])
  console.log('2 files, 1 error')
})
reader.start([__filename, __dirname, '/nowhere/at/all'])
