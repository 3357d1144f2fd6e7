/** Lines go through a small ring in shared memory to a worker that writes them to a file. */
const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const ThreadStream = require('thread-stream')

const folder = mkdtempSync(join(tmpdir(), 'lines-'))
const file = join(folder, 'log')
const stream = new ThreadStream({ filename: join(__dirname, '_lines.cjs'), workerData: { file }, bufferSize: 32, sync: false })
let expected = ''
for (let i = 0; i < 6; i++) {
  const line = `this is line ${i}\n`
  expected += line
  stream.write(line)
}
stream.on('close', () => {
  const written = readFileSync(file, 'utf8')
  rmSync(folder, { recursive: true })
  if (written !== expected) throw new Error(`the file has ${JSON.stringify(written)}`)
  console.log(`${expected.length} characters`)
})
stream.end()
