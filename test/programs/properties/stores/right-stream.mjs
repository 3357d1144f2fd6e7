// The same, and the stream does not mind.
import { EventEmitter } from 'node:events'
import { stat } from 'node:fs'

class Stream extends EventEmitter {
  cursor = undefined
  destroy() {
    this.cursor?.close()
  }
}
class LevelUP extends EventEmitter {
  constructor() {
    super()
    stat('.', () => this.emit('ready'))
  }
  createReadStream() {
    const stream = new Stream()
    this.once('ready', () => (stream.cursor = { close() {} }))
    return stream
  }
}

const stream = new LevelUP().createReadStream()
setTimeout(() => stream.destroy(), 200) // ok
