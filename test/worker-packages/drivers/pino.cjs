/** pino writes its log through a worker. */
const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const pino = require('pino')

const folder = mkdtempSync(join(tmpdir(), 'pino-'))
const file = join(folder, 'log')
const transport = pino.transport({ target: 'pino/file', options: { destination: file } })
const log = pino({ base: null, timestamp: false }, transport)
// The worker alone does not keep the process alive.
const alive = setInterval(() => {}, 1000)
transport.on('ready', () => {
  for (let i = 0; i < 5; i++) log.info({ i }, 'line')
  transport.end()
})
transport.on('close', () => {
  clearInterval(alive)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  rmSync(folder, { recursive: true })
  const order = lines.map((line) => JSON.parse(line).i).join(' ')
  if (order !== '0 1 2 3 4') throw new Error(`the log has ${order}`)
  console.log(`${lines.length} lines`)
})
