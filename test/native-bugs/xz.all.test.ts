/**
 * A published bug of a C library (CVE-2025-31115, https://tukaani.org/xz/threaded-decoder-early-free.html): liblzma 5.4.1 of Debian 12 has it, 5.8.1 of Debian 13 does not.
 */
import { describe, expect, test } from 'vitest'
import { built, checked, why } from './debian.ts'

const BUILD = `
cd source
./configure --disable-xz --disable-xzdec --disable-lzmadec --disable-lzmainfo --disable-scripts --disable-doc --disable-nls --disable-shared \\
  --enable-encoders=lzma1,lzma2 --enable-decoders=lzma1,lzma2 --disable-dependency-tracking
make -j2 -C src/liblzma
$CC -g -Isrc/liblzma/api -o ../driver $DRIVER src/liblzma/.libs/liblzma.a -pthread
`

describe.skipIf(why !== '')(`xz${why === '' ? '' : ` (skipped: ${why})`}`, () => {
  test('5.4.1 writes to a buffer that a worker has freed, 5.8.1 is silent', async () => {
    const old = await checked(built('bookworm', 'xz-utils', 'xz-damaged', BUILD))
    expect(JSON.stringify(old.failed.map(({ failure }) => failure))).toMatch(/SIGSEGV|use after free/i)
    expect(old.failed.flatMap(({ sites }) => sites).some((site) => site.includes('stream_decoder_mt.c'))).toBe(true)
    const fixed = await checked(built('trixie', 'xz-utils', 'xz-damaged', BUILD))
    expect([fixed.code, fixed.failed]).toEqual([0, []])
  }, 1_800_000)
})
