/** Copies the pages of the repository to pages/, beside the packages that the site is built with. */
import { cpSync, mkdirSync, rmSync } from 'node:fs'

rmSync('pages', { recursive: true, force: true })
mkdirSync('pages')
for (const name of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs'])
  cpSync(`../${name}`, `pages/${name}`, { recursive: true })
