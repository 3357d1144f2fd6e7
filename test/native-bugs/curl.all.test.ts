/**
 * A published bug of libcurl (CVE-2023-27537, https://curl.se/docs/CVE-2023-27537.html): threads that share an HSTS cache free an entry twice. 7.88.1 of Debian 12 has it. It was mended in the
 * manual: a cache is not to be shared by threads. So the right version is a program that does not.
 */
import { describe, expect, test } from 'vitest'
import { built, checked, why } from './debian.ts'

const PROTOCOLS = 'ldap ldaps alt-svc rtsp dict telnet tftp pop3 imap smb smtp gopher mqtt ftp'.split(' ')
const LIBRARIES = 'ssl zlib brotli zstd libpsl nghttp2 libidn2 librtmp'.split(' ')
const OPTIONS = [...PROTOCOLS.map((name) => `--disable-${name}`), ...LIBRARIES.map((name) => `--without-${name}`)].join(' ')
// HSTS is left out without TLS, which nothing here needs.
const BUILD = `
cd source
./configure ${OPTIONS} --disable-shared --disable-threaded-resolver --disable-manual --disable-dependency-tracking
sed -i '/^#define CURL_DISABLE_HSTS/d' lib/curl_config.h
make -j2 -C lib
$CC -g -Iinclude -o ../driver $DRIVER lib/.libs/libcurl.a -pthread
`

describe.skipIf(why !== '')(`curl${why === '' ? '' : ` (skipped: ${why})`}`, () => {
  test('7.88.1 frees an entry of a shared HSTS cache twice; a cache for each thread is silent', async () => {
    const driver = built('bookworm', 'curl', 'curl-hsts', BUILD)
    const shared = await checked(driver)
    expect(JSON.stringify(shared.failed)).toMatch(/use after free|double free/i)
    expect(shared.failed.flatMap(({ sites }) => sites).some((site) => site.includes('hsts.c') || site.includes('llist.c'))).toBe(true)
    const apart = await checked(driver, 'apart')
    expect([apart.code, apart.failed]).toEqual([0, []])
  }, 1_800_000)
})
