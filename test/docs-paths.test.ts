/** Documentation names files of src that are there. NAME stands for a file to be made; `*` for any letters. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const pages = (folder: string, recursive: boolean): string[] =>
  readdirSync(join(ROOT, folder), { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => join(folder, name))

function isThere(path: string): boolean {
  if (!path.includes('*')) return existsSync(join(ROOT, path))
  const name = new RegExp(`^${basename(path).replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
  const folder = join(ROOT, dirname(path))
  return existsSync(folder) && readdirSync(folder).some((file) => name.test(file))
}

// The changelog speaks of what was.
const PAGES = [...pages('.', false), ...pages('docs', true), ...pages('bench', false), ...pages('test', true)].filter(
  (page) => page !== 'CHANGELOG.md',
)

test.each(PAGES)('%s', (page) => {
  const named = readFileSync(join(ROOT, page), 'utf8').match(/(?<![\w/.-])(?:\.\.\/)?src\/[\w.*/-]*/g) ?? []
  const paths = named.map((path) => path.replace(/^\.\.\//, '').replace(/[.,]+$/, ''))
  expect(paths.filter((path) => !path.includes('NAME') && !isThere(path))).toEqual([])
})
