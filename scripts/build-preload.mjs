/**
 * What is loaded into observed processes, in a few files instead of a hundred and eighty: Node takes a tenth of a second of processor time for so many, in every run. Runs after tsc, as part of
 * `npm run build`, and makes dist/preload. A process may load several of them, which share their state; what it loads of dist/runtime beside them has a state of its own.
 */
import { rmSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const OUT = at('dist/preload')
const REGISTER = at('dist/runtime/js/register.js')

/** Modules find other files from where they stand: they are to go on from there. */
const places = {
  name: 'places',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return undefined
    // The first of all is asked for by the name it has here.
    const place = id === REGISTER ? './register.js' : relative(OUT, id)
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`)
  },
}

rmSync(OUT, { recursive: true, force: true })
await build({
  input: { register: REGISTER, tests: at('dist/runners/preload.js'), vitest: at('dist/runners/vitest/preload.js') },
  external: [/^node:/, 'acorn'],
  platform: 'node',
  plugins: [places],
  output: { dir: OUT, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
  logLevel: 'warn',
})
