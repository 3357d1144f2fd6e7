/**
 * A published bug of a C library (CVE-2025-31115, https://tukaani.org/xz/threaded-decoder-early-free.html): liblzma 5.4.1 of Debian 12 has it, 5.8.1 of Debian 13 does not. The authors' archives
 * come from Debian while the test runs, and nothing of them is kept.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkedFrom, node } from '../node-bugs/run.ts'
import { HEDDLE, ownFolder } from '../programs/marked.ts'
import { cannot } from '../programs/native.ts'

const DRIVER = join(import.meta.dirname, 'drivers', 'xz-damaged.c')
const hasApt = spawnSync('apt-get', ['--version']).status === 0
const why = cannot !== '' ? cannot : hasApt ? '' : 'there is no apt-get'

/** apt with lists of its own: the system's are left alone. */
const FETCH = `
mkdir lists cache source
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $SUITE main" > sources.list
printf 'Dir::Etc::sourcelist "%s/sources.list";\\nDir::Etc::sourceparts "-";\\nDir::State::lists "%s/lists";\\nDir::Cache "%s/cache";\\n' "$PWD" "$PWD" "$PWD" > apt.conf
export APT_CONFIG="$PWD/apt.conf"
apt-get update -qq
apt-get source --download-only -qq xz-utils
tar xf xz-utils_*.orig.tar.xz --strip-components=1 -C source
`
const BUILD = `
cd source
./configure --disable-xz --disable-xzdec --disable-lzmadec --disable-lzmainfo --disable-scripts --disable-doc --disable-nls --disable-shared \\
  --enable-encoders=lzma1,lzma2 --enable-decoders=lzma1,lzma2 --disable-dependency-tracking
make -j2 -C src/liblzma
$CC -g -Isrc/liblzma/api -o ../driver ${DRIVER} src/liblzma/.libs/liblzma.a -pthread
`

async function checked(suite: string): Promise<ReturnType<typeof checkedFrom>> {
  const cwd = ownFolder()
  const CC = spawnSync(process.execPath, [HEDDLE, 'cc', '--path'], { encoding: 'utf8' }).stdout.trim()
  const env = { ...process.env, SUITE: suite, CC, CFLAGS: '-g -O1' }
  const { status, stderr } = spawnSync('sh', ['-ec', `${FETCH}${BUILD}`], { cwd, env, encoding: 'utf8', maxBuffer: 1e8 })
  expect([status, stderr.slice(-2000)]).toMatchObject([0, expect.anything()])
  return checkedFrom(await node([HEDDLE, 'check', '--json', '--time', '300', '--', join(cwd, 'driver')], cwd, 600_000))
}

describe.skipIf(why !== '')(`xz${why === '' ? '' : ` (skipped: ${why})`}`, () => {
  test('5.4.1 writes to a buffer that a worker has freed, 5.8.1 is silent', async () => {
    const old = await checked('bookworm')
    expect(JSON.stringify(old.failed.map(({ failure }) => failure))).toMatch(/SIGSEGV|use after free/i)
    expect(old.failed.flatMap(({ sites }) => sites).some((site) => site.includes('stream_decoder_mt.c'))).toBe(true)
    const fixed = await checked('trixie')
    expect([fixed.code, fixed.failed]).toEqual([0, []])
  }, 1_800_000)
})
