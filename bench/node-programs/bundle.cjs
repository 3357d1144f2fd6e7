/** A build with hundreds of streams: browserify makes a bundle of crypto-browserify.  node bundle.cjs TIMES */
const { createWriteStream } = require('node:fs')
const browserify = require(require.resolve('browserify', { paths: [process.cwd()] }))

const times = Number(process.argv[2] ?? 1)
const entry = require.resolve('crypto-browserify', { paths: [process.cwd()] })

const bundle = () =>
  new Promise((resolve, reject) => {
    let size = 0
    browserify(entry, { standalone: 'crypto' })
      .bundle()
      .on('error', reject)
      .on('data', (part) => (size += part.length))
      .pipe(createWriteStream('bundle.js'))
      .on('error', reject)
      .on('finish', () => resolve(size))
  })

async function main() {
  const start = performance.now()
  const cpu = process.cpuUsage()
  let size = 0
  for (let i = 0; i < times; i++) size += await bundle()
  const { user, system } = process.cpuUsage(cpu)
  console.log(JSON.stringify({ ms: performance.now() - start, cpu: (user + system) / 1000, work: size }))
}
main()
