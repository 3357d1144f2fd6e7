/** The client of the HTML report: src/report/html/client becomes one script, and its style is copied. Runs after tsc, as part of `npm run build`. */
import { copyFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

mkdirSync(at('dist/report/html'), { recursive: true })
await build({
  input: at('src/report/html/client/main.ts'),
  output: { file: at('dist/report/html/client.js'), format: 'iife', minify: true },
  logLevel: 'warn',
})
copyFileSync(at('src/report/html/style.css'), at('dist/report/html/style.css'))
