/**
 * `npm run native-programs [NAME…]`: real C and C++ programs, from Debian's sources, built three times: as they are, with the compiler's thread
 * sanitizer, and with `heddle cc`. For `npm run bench:native` and for trying out. Everything goes into a folder in the system's temporary one
 * (HEDDLE_NATIVE_PROGRAMS names another) and stays there; what was built is not built again (`--again` does). Needs apt-get, gcc, make, tclsh (SQLite).
 *
 *   sources/   what apt-get fetched; only the authors' archives are used, not Debian's patches
 *   build/VARIANT/NAME   bin/VARIANT/NAME
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = process.env.HEDDLE_NATIVE_PROGRAMS ?? join(tmpdir(), 'heddle-native-programs')
const HEDDLE = process.env.HEDDLE ?? fileURLToPath(new URL('../bin/heddle.js', import.meta.url))
const OURS = fileURLToPath(new URL('../bench/native', import.meta.url))
const MIRROR = 'http://deb.debian.org/debian'
const SUITES = ['bookworm', 'trixie']

const VARIANTS = {
  plain: { cc: 'gcc', cxx: 'g++', flags: '-g -O2' },
  tsan: { cc: 'gcc', cxx: 'g++', flags: '-g -O2 -fsanitize=thread' },
  heddle: { cc: '', cxx: '', flags: '-g -O2' },
}

const configure = (more = '') => `./configure ${more} --disable-dependency-tracking && make -j2`
/** `packages`: first the one it is built in. `build` is a shell script with CC, CXX, CFLAGS, CXXFLAGS, LDFLAGS set; `program` is where it is then. */
const PROGRAMS = [
  {
    name: 'pbzip2',
    packages: ['pbzip2'],
    build: '$CXX $CXXFLAGS -DUSE_STACKSIZE_CUSTOMIZATION -pthread *.cpp -o pbzip2 -lbz2',
    program: 'pbzip2',
  },
  {
    // bzip2 itself is compiled with it, where the one above uses the system's library
    name: 'pbzip2-whole',
    packages: ['pbzip2', 'bzip2'],
    build: `for f in blocksort bzlib compress crctable decompress huffman randtable; do $CC $CFLAGS -w -D_FILE_OFFSET_BITS=64 -c bzip2/$f.c; done
      $CXX $CXXFLAGS -Ibzip2 -DUSE_STACKSIZE_CUSTOMIZATION -pthread *.cpp *.o -o pbzip2`,
    program: 'pbzip2',
  },
  {
    name: 'pigz',
    packages: ['pigz'],
    build: '$CC $CFLAGS -pthread pigz.c yarn.c try.c zopfli/src/zopfli/*.c -o pigz -lz -lm',
    program: 'pigz',
  },
  {
    name: 'xz',
    packages: ['xz-utils'],
    build: configure('--disable-shared --disable-doc --disable-nls --disable-scripts --disable-lzmainfo'),
    program: 'src/xz/xz',
  },
  {
    // its copy of gnulib is older than today's libc; Debian's patch says the same
    name: 'lbzip2',
    packages: ['lbzip2'],
    build: `CPPFLAGS='-D_IO_ftrylockfile -D_IO_IN_BACKUP=0x100' ${configure()}`,
    program: 'src/lbzip2',
  },
  {
    name: 'memcached',
    packages: ['memcached'],
    needs: ['libevent-dev'],
    build: `CPPFLAGS="-I$NEEDS/usr/include" LDFLAGS="$LDFLAGS -L$NEEDS/usr/lib/x86_64-linux-gnu" ${configure()}`,
    program: 'memcached',
  },
  {
    name: 'redis',
    packages: ['redis'],
    build: 'make -j2 MALLOC=libc CC="$CC" OPT="$CFLAGS" OPTIMIZATION=-O2 REDIS_LDFLAGS="$LDFLAGS" redis-server',
    program: 'src/redis-server',
  },
  {
    name: 'sqlite',
    packages: ['sqlite3'],
    // the one big file of SQLite is made with tclsh, once for all variants
    build: `if ! [ -f $SHARED/sqlite3.c ]; then CC=gcc CFLAGS=-O1 LDFLAGS= ./configure && make CC=gcc sqlite3.c; cp sqlite3.c sqlite3.h $SHARED; fi
      $CC $CFLAGS -DSQLITE_THREADSAFE=1 -I$SHARED $SHARED/sqlite3.c ${join(OURS, 'sqlite.c')} -pthread -o driver -lm -ldl`,
    program: 'driver',
  },
  { name: 'micro', packages: [], build: `$CC $CFLAGS ${join(OURS, 'micro.c')} -pthread -o micro`, program: 'micro' },
]

const words = process.argv.slice(2)
const again = words.includes('--again')
const variants = words.filter((word) => word in VARIANTS)
const names = words.filter((word) => !word.startsWith('--') && !(word in VARIANTS))
for (const name of names) if (!PROGRAMS.some((program) => program.name === name)) fail(`There is no program ${name}.`)
const wanted = PROGRAMS.filter(({ name }) => names.length === 0 || names.includes(name))

fetch([...new Set(wanted.flatMap(({ packages }) => packages))])
if (variants.length === 0 || variants.includes('heddle')) Object.assign(VARIANTS.heddle, { cc: wrapper('cc'), cxx: wrapper('c++') })
let failed = 0
for (const program of wanted)
  for (const variant of variants.length === 0 ? Object.keys(VARIANTS) : variants) failed += build(program, variant) ? 0 : 1
process.exitCode = failed === 0 ? 0 : 1

/** The compiler that `heddle cc` is, as a file: configure scripts call it hundreds of times. */
function wrapper(word) {
  const own = HEDDLE.endsWith('.js') ? [process.execPath, HEDDLE] : [HEDDLE]
  const { status, stdout, stderr } = spawnSync(own[0], [...own.slice(1), word, '--path'], { encoding: 'utf8' })
  if (status !== 0) fail(`heddle ${word} --path: ${stderr}\nIs Heddle built (npm run build)?`)
  return stdout.trim()
}

/** A private configuration of apt, with the lists of sources: the system's own is left alone. */
function apt(...args) {
  const folder = join(FOLDER, 'apt')
  if (!existsSync(folder)) {
    for (const part of ['lists', 'cache']) mkdirSync(join(folder, part), { recursive: true })
    const key = '/usr/share/keyrings/debian-archive-keyring.gpg'
    const lines = SUITES.flatMap((suite) => ['deb', 'deb-src'].map((kind) => `${kind} [signed-by=${key}] ${MIRROR} ${suite} main\n`))
    writeFileSync(join(folder, 'sources.list'), lines.join(''))
    writeFileSync(
      join(folder, 'apt.conf'),
      `Dir::Etc::sourcelist "${folder}/sources.list";\nDir::Etc::sourceparts "-";\nDir::State::lists "${folder}/lists";\nDir::Cache "${folder}/cache";\n`,
    )
    run('apt-get', ['update', '-qq'], FOLDER)
  }
  return run('apt-get', args, join(FOLDER, 'sources'), 'pipe')

  function run(command, list, cwd, stdio = 'inherit') {
    const env = { ...process.env, APT_CONFIG: join(folder, 'apt.conf') }
    return spawnSync(command, list, { cwd, stdio, encoding: 'utf8', env })
  }
}

/** Of each package the authors' archive: of the first suite that has it (mirrors can be without some). */
function fetch(packages) {
  mkdirSync(join(FOLDER, 'sources'), { recursive: true })
  for (const name of packages) {
    if (archive(name)) continue
    let told = ''
    for (const suite of SUITES) if (!archive(name)) told += apt('source', '--download-only', '-qq', `-t=${suite}`, name).stderr
    if (!archive(name)) fail(`The source of ${name} could not be fetched:\n${told}`)
  }
}

function archive(name) {
  return readdirSync(join(FOLDER, 'sources')).find((file) => file.startsWith(`${name}_`) && /\.orig\.tar\.(gz|bz2|xz)$/.test(file))
}

function unpack(name, folder) {
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync('tar', ['xf', join(FOLDER, 'sources', archive(name)), '--strip-components=1', '-C', folder])
  if (status !== 0) fail(`${archive(name)} could not be unpacked.`)
}

/** Debian's own binary packages that a build needs, unpacked beside it and not installed. */
function need(packages) {
  const folder = join(FOLDER, 'needs')
  for (const name of packages) {
    const file = () => readdirSync(join(FOLDER, 'sources')).find((each) => each.startsWith(`${name}_`) && each.endsWith('.deb'))
    if (!file()) apt('download', '-qq', `${name}/${SUITES[0]}`)
    if (!file()) fail(`The package ${name} could not be fetched.`)
    spawnSync('dpkg', ['-x', join(FOLDER, 'sources', file()), folder])
  }
  return folder
}

function build({ name, packages, needs = [], build: script, program }, variant) {
  const folder = join(FOLDER, 'build', variant, name)
  const result = join(FOLDER, 'bin', variant, name)
  if (existsSync(result) && !again) return true
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  packages.forEach((each, i) => unpack(each, i === 0 ? folder : join(folder, each)))
  const { cc, cxx, flags } = VARIANTS[variant]
  const env = { CC: cc, CXX: cxx, CFLAGS: flags, CXXFLAGS: flags, LDFLAGS: flags, NEEDS: need(needs), SHARED: join(FOLDER, 'shared') }
  mkdirSync(env.SHARED, { recursive: true })
  const start = Date.now()
  const log = join(folder, 'build.log')
  const { status } = spawnSync('sh', ['-ec', `exec >${log} 2>&1\n${script}`], { cwd: folder, env: { ...process.env, ...env } })
  if (status !== 0) {
    console.log(`${name}, ${variant}: NOT BUILT, see ${log}`)
    return false
  }
  mkdirSync(join(FOLDER, 'bin', variant), { recursive: true })
  cpSync(join(folder, program), result)
  console.log(`${basename(result)}, ${variant}: built in ${((Date.now() - start) / 1000).toFixed(0)} s`)
  return true
}

function fail(text) {
  console.error(text)
  process.exit(1)
}
