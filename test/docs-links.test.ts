/** Links between pages of the documentation lead to files that are there, and to headings that they have. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const inFolder = (folder: string, recursive = false): string[] =>
  readdirSync(join(ROOT, folder), { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => join(ROOT, folder, name))
const PAGES = [...inFolder('.'), ...inFolder('docs', true), ...inFolder('bench')]

/** As GitHub makes them. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const withoutCode = (text: string): string => text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '')

function anchorsOf(page: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/```[\s\S]*?```/g, '')
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!))
}

function isDead(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : resolve(dirname(page), decodeURI(path))
  if (!existsSync(target)) return true
  return anchor !== undefined && statSync(target).isFile() && target.endsWith('.md') && !anchorsOf(target).includes(anchor)
}

test.each(PAGES.map((page) => relative(ROOT, page)))('links of %s', (name) => {
  const page = join(ROOT, name)
  const links = [...withoutCode(readFileSync(page, 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
  expect(links.filter((link) => !/^[a-z]+:/.test(link) && isDead(page, link))).toEqual([])
})

test('ARCHITECTURE.md has at most 12 KB', () => {
  expect(statSync(join(ROOT, 'ARCHITECTURE.md')).size).toBeLessThanOrEqual(12 * 1024)
})
