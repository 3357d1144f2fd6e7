#!/usr/bin/env node
import { existsSync } from 'node:fs'

const main = new URL('../dist/cli/main.js', import.meta.url)
const [command, ...words] = process.argv.slice(2)
if (!existsSync(main)) {
  process.stderr.write('heddle: This copy of Heddle has not been built. Run `npm run build` in its folder.\n')
  process.exitCode = 2
} else if (command === 'cc' || command === 'c++') {
  // Builds call it hundreds of times, and without the rest of Heddle it takes two thirds of the time.
  const { runCc } = await import(new URL('../dist/cli/cc.js', import.meta.url).href)
  runCc(command, words)
} else {
  const { run } = await import(main.href)
  await run(process.argv.slice(2))
}
