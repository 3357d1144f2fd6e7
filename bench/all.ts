/** The quick ones, one after another: deciders (without Z3), scale up to a million events, the recorded traces. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const RUNS: readonly (readonly string[])[] = [
  ['deciders.js', '6', '6', 'no-z3'],
  ['scale.js', '100k', '1m'],
  ['corpus.js', '3'],
]

for (const [script, ...words] of RUNS) {
  console.log(`\n== ${script!.replace('.js', '')} ${words.join(' ')}`)
  const child = spawnSync(process.execPath, [fileURLToPath(new URL(script!, import.meta.url)), ...words], { stdio: 'inherit' })
  if (child.status !== 0) process.exitCode = 1
}
