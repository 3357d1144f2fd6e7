// Servers that speak enough of a protocol for a client to connect and to get an empty answer. They run inside the program that is checked, and keep nothing
// alive.
import { createServer } from 'node:net'

/** The port of a server that hands each connection to `serve`. */
export const listen = (serve) =>
  new Promise((resolve) => {
    const server = createServer((socket) => serve(socket.on('error', () => {})))
    server.listen(0, '127.0.0.1', () => resolve(server.address().port))
    server.unref()
  })

const u32 = (n) => Buffer.from([n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255])
const pgMessage = (type, ...parts) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return Buffer.concat([Buffer.from(type), u32(body.length + 4), body])
}

/** PostgreSQL: no password, and every query has no rows. */
export const postgres = () =>
  listen((socket) => {
    const ready = pgMessage('Z', 'I')
    let started = false
    socket.on('data', (data) => {
      if (!started) {
        started = true
        socket.write(Buffer.concat([pgMessage('R', u32(0)), ready]))
      } else if (data[0] === 0x51) socket.write(Buffer.concat([pgMessage('C', 'SELECT 0\0'), ready]))
      else if (data[0] === 0x58) socket.end()
    })
  })

const mysqlPacket = (number, body) => Buffer.concat([Buffer.from([body.length & 255, body.length >>> 8, 0, number]), body])

/** MySQL: no password, and every command is well. */
export const mysql = () =>
  listen((socket) => {
    const capabilities = 0x0000a201 | 0x00080000
    const greeting = Buffer.concat([
      Buffer.from([10]),
      Buffer.from('8.0.0\0'),
      Buffer.from([1, 0, 0, 0]),
      Buffer.from('12345678\0'),
      Buffer.from([capabilities & 255, (capabilities >>> 8) & 255, 33, 2, 0, (capabilities >>> 16) & 255, (capabilities >>> 24) & 255, 21]),
      Buffer.alloc(10),
      Buffer.from('123456789012\0'),
      Buffer.from('mysql_native_password\0'),
    ])
    const ok = Buffer.from([0, 0, 0, 2, 0, 0, 0])
    let started = false
    socket.write(mysqlPacket(0, greeting))
    socket.on('data', (data) => {
      if (!started) socket.write(mysqlPacket(2, ok))
      else if (data[4] === 1) socket.end()
      else socket.write(mysqlPacket(1, ok))
      started = true
    })
  })

/** MongoDB: a server that stands alone and says ok to everything. `BSON` is that of the driver. */
export const mongodb = (BSON) =>
  listen((socket) => {
    let buffer = Buffer.alloc(0)
    socket.on('data', (data) => {
      buffer = Buffer.concat([buffer, data])
      while (buffer.length >= 4 && buffer.length >= buffer.readInt32LE(0)) {
        const message = buffer.subarray(0, buffer.readInt32LE(0))
        buffer = buffer.subarray(message.length)
        socket.write(mongoAnswer(BSON, message))
      }
    })
  })

function mongoAnswer(BSON, message) {
  const body = Buffer.from(
    BSON.serialize({
      ok: 1,
      n: 1,
      helloOk: true,
      isWritablePrimary: true,
      ismaster: true,
      minWireVersion: 0,
      maxWireVersion: 25,
      maxBsonObjectSize: 16777216,
      maxMessageSizeBytes: 48000000,
      maxWriteBatchSize: 100000,
      logicalSessionTimeoutMinutes: 30,
      localTime: new Date(0),
      cursor: { id: BSON.Long.fromNumber(0), ns: 'shop.orders', firstBatch: [] },
    }),
  )
  const isQuery = message.readInt32LE(12) === 2004
  const head = Buffer.alloc(isQuery ? 36 : 21)
  head.writeInt32LE(head.length + body.length, 0)
  head.writeInt32LE(message.readInt32LE(4), 8)
  head.writeInt32LE(isQuery ? 1 : 2013, 12)
  if (isQuery) head.writeInt32LE(1, 32)
  return Buffer.concat([head, body])
}

/** Redis: OK to everything. */
export const redis = () =>
  listen((socket) => {
    socket.on('data', (data) => {
      const commands = String(data).match(/^\*\d+\r$/gm)?.length ?? 0
      const hello = /\r\nhello\r\n/i.test(String(data))
      const info = /\r\ninfo\r\n/i.test(String(data))
      if (info) socket.write('$9\r\nloading:0\r\n')
      else if (hello) socket.write('%1\r\n$5\r\nproto\r\n:3\r\n' + '+OK\r\n'.repeat(commands - 1))
      else socket.write('+OK\r\n'.repeat(commands))
      if (/\r\nquit\r\n/i.test(String(data))) socket.end()
    })
  })
