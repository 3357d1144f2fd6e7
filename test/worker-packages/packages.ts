/**
 * Published packages that use workers with shared memory, at exact versions, and a driver of our own for each, drivers/NAME. A file whose name begins
 * with `_` belongs to another one. Each file of tests has a folder of its own: they run side by side.
 */
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, installPackages } from '../node-bugs/install.ts'

export const PACKAGES: Readonly<Record<string, string>> = {
  'await-sync': '1.0.3',
  'make-synchronous': '2.1.0',
  pino: '10.4.0',
  piscina: '5.3.2',
  'ringbuf.js': '0.4.0',
  synckit: '0.12.3',
  'thread-stream': '4.2.1',
  tinypool: '2.2.0',
  workerpool: '10.0.3',
}

export const SYNCKITS: Readonly<Record<string, string>> = {
  'synckit-0.9.1': 'npm:synckit@0.9.1',
  'synckit-0.9.2': 'npm:synckit@0.9.2',
}

const DRIVERS = join(ROOT, 'test/worker-packages/drivers')

/** A folder with the packages and the drivers, ready to run `node piscina.mjs` in. */
export async function install(name: string, packages: Readonly<Record<string, string>>): Promise<string> {
  const dir = join(ROOT, '.heddle/worker-packages', name)
  await installPackages(dir, packages)
  for (const name of readdirSync(DRIVERS)) copyFileSync(join(DRIVERS, name), join(dir, name))
  // What the drivers leave behind stays in here.
  rmSync(join(dir, 'tmp'), { recursive: true, force: true })
  mkdirSync(join(dir, 'tmp'))
  return dir
}
