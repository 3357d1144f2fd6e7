#!/usr/bin/env node
import { existsSync } from 'node:fs'

const main = new URL('../dist/cli/main.js', import.meta.url)
if (existsSync(main)) {
  const { run } = await import(main.href)
  await run(process.argv.slice(2))
} else {
  process.stderr.write('heddle: This copy of Heddle has not been built. Run `npm run build` in its folder.\n')
  process.exitCode = 2
}
