/** The authors' archives of Debian's source packages, fetched while a test runs; nothing of them is kept. apt has lists of its own: the system's are left alone. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { checkedFrom, node } from '../node-bugs/run.ts'
import { HEDDLE, ownFolder } from '../programs/marked.ts'
import { cannot } from '../programs/native.ts'

const hasApt = spawnSync('apt-get', ['--version']).status === 0
export const why = cannot !== '' ? cannot : hasApt ? '' : 'there is no apt-get'

const FETCH = `
mkdir lists cache source
for kind in deb deb-src; do echo "$kind [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $SUITE main"; done > sources.list
printf 'Dir::Etc::sourcelist "%s/sources.list";\\nDir::Etc::sourceparts "-";\\nDir::State::lists "%s/lists";\\nDir::Cache "%s/cache";\\n' "$PWD" "$PWD" "$PWD" > apt.conf
export APT_CONFIG="$PWD/apt.conf"
apt-get update -qq
apt-get source --download-only -qq "$PACKAGE"
tar xf "$(ls "$PACKAGE"_*.orig.tar.* | grep -v 'asc$')" --strip-components=1 -C source
`

/** A folder in which `build`, a script, has made `driver`: `source` has the package's, CC is `heddle cc`, DRIVER the file. */
export function built(suite: string, PACKAGE: string, driver: string, build: string): string {
  const cwd = ownFolder()
  const CC = spawnSync(process.execPath, [HEDDLE, 'cc', '--path'], { encoding: 'utf8' }).stdout.trim()
  const DRIVER = join(import.meta.dirname, 'drivers', `${driver}.c`)
  const env = { ...process.env, SUITE: suite, PACKAGE, DRIVER, CC, CFLAGS: '-g -O1' }
  const { status, stderr } = spawnSync('sh', ['-ec', `${FETCH}${build}`], { cwd, env, encoding: 'utf8', maxBuffer: 1e8 })
  expect([status, stderr.slice(-2000)]).toMatchObject([0, expect.anything()])
  return join(cwd, 'driver')
}

export async function checked(driver: string, ...words: readonly string[]): Promise<ReturnType<typeof checkedFrom>> {
  return checkedFrom(await node([HEDDLE, 'check', '--json', '--time', '300', '--', driver, ...words], join(driver, '..'), 600_000))
}
