#!/usr/bin/env node
import { existsSync } from 'node:fs'

// Until a command begins there is nothing that a Ctrl-C could stop.
process.on('SIGINT', interrupted)

const main = new URL('../dist/cli/main.js', import.meta.url)
const [command, ...words] = process.argv.slice(2)
if (!existsSync(main)) {
  process.stderr.write('heddle: This copy of Heddle has not been built. Run `npm run build` in its folder.\n')
  process.exitCode = 2
} else if (command === 'cc' || command === 'c++') {
  // Builds call it hundreds of times, and without the rest of Heddle it takes two thirds of the time.
  const { runCc } = await import(new URL('../dist/cli/cc.js', import.meta.url).href).catch(notLoaded)
  process.off('SIGINT', interrupted)
  runCc(command, words)
} else {
  const { run } = await import(main.href).catch(notLoaded)
  await run(process.argv.slice(2), () => process.off('SIGINT', interrupted))
}

/** Nothing of Heddle is there yet: the sentence has to be made here. */
function notLoaded(error) {
  const tooMany = error.code === 'EMFILE' || error.code === 'ENFILE'
  const [fact, remedy] = tooMany
    ? [`Too many files are open (${error.code})`, 'Raise the limit (`ulimit -n 1024`)']
    : [`Heddle cannot be loaded: ${error.message}`, 'Install it again']
  process.stderr.write(`heddle: ${fact}. ${remedy}\n`)
  if (process.env['HEDDLE_DEBUG'] === '1') process.stderr.write(`${error.stack}\n`)
  process.exit(2)
}

function interrupted() {
  process.stderr.write('heddle: Interrupted before anything was run.\n')
  process.exit(130)
}
