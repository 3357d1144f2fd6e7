/**
 * A published bug of GLib (https://gitlab.gnome.org/GNOME/glib/-/merge_requests/4232): 2.74.6 of Debian 12 has it, 2.84.4 of Debian 13 does not. Four files are built; the rest is the
 * library of Debian 12, with its headers.
 */
import { describe, expect, test } from 'vitest'
import { built, checked, why } from './debian.ts'

const BUILD = `
sed -i s/trixie/bookworm/ sources.list
apt-get update -qq
apt-get download -qq libglib2.0-dev libglib2.0-0
for file in *.deb; do dpkg -x "$file" needs; done
for file in grefstring garcbox grcbox grefcount; do cp source/glib/$file.c .; done
cp source/glib/grcboxprivate.h .
: > config.h
echo '#define TRACE(x)' > glib_trace.h
lib=needs/usr/lib/x86_64-linux-gnu
$CC -g -w -DGLIB_COMPILATION -I. -Ineeds/usr/include/glib-2.0 -Ineeds/usr/include/glib-2.0/glib -I$lib/glib-2.0/include -o driver $DRIVER g*.c \\
  -L$lib -l:libglib-2.0.so.0 -Wl,-rpath,"$PWD/$lib" -pthread
`

describe.skipIf(why !== '')(`glib${why === '' ? '' : ` (skipped: ${why})`}`, () => {
  test('2.74.6 frees an interned string twice, 2.84.4 is silent', async () => {
    const old = await checked(built('bookworm', 'glib2.0', 'glib-interned', BUILD))
    expect(JSON.stringify(old.failed)).toMatch(/use after free|double free/i)
    expect(old.failed.flatMap(({ sites }) => sites).some((site) => site.includes('grefstring.c'))).toBe(true)
    const fixed = await checked(built('trixie', 'glib2.0', 'glib-interned', BUILD))
    expect([fixed.code, fixed.failed]).toEqual([0, []])
  }, 1_800_000)
})
