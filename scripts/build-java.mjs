/**
 * The agent for Java programs: runtime/java becomes dist/java/heddle-agent.jar, with asm.jar beside it. Part of `npm run build`. Needs `javac` and `jar`, and ASM: from the local
 * Maven repository, or by Maven. Where one of them is missing a sentence says so, and everything but Java works.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHash } from 'node:crypto'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const SOURCES = at('runtime/java/src/main/java')
/** Names that the JVM knows: compiled against, and left out of the jar. */
const NAMES = at('runtime/java/src/annotations/java')
const MANIFEST = at('runtime/java/src/main/manifest.mf')
const OUT = at('dist/java')
const VERSION = /<artifactId>asm<\/artifactId>\s*<version>([\d.]+)</.exec(readFileSync(at('runtime/java/pom.xml'), 'utf8'))[1]

const SHA256 = 'ae4e6e10d59d0a1500317764b21881ad883f8550e33c66e6142f7032c6fb566c'

const run = (command, args, options = {}) => spawnSync(command, args, { encoding: 'utf8', ...options })
const isThere = (command) => run(command, ['-version']).status === 0

const javaIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.java'))
    .map((name) => join(folder, name))
    .sort()
const files = [...javaIn(SOURCES), ...javaIn(NAMES)]

/** What it was built from: nothing is done twice. */
const hash = createHash('sha256')
for (const file of [...files, MANIFEST]) hash.update(readFileSync(file))
hash.update(VERSION)
const mark = hash.digest('hex')

const missing = await build()
if (missing) console.log(`The agent for Java programs was not built: ${missing} Everything else works.`)

async function build() {
  if (
    existsSync(join(OUT, 'built-from')) &&
    readFileSync(join(OUT, 'built-from'), 'utf8') === mark &&
    existsSync(join(OUT, 'heddle-agent.jar'))
  )
    return undefined
  if (!isThere('javac')) return 'there is no JDK (`apt install openjdk-17-jdk-headless`).'
  const asm = await findAsm()
  if (asm === undefined)
    return `ASM ${VERSION} was not found in the local Maven repository, and Maven could not fetch it (\`apt install maven\`).`
  mkdirSync(OUT, { recursive: true })
  const classes = mkdtempSync(join(tmpdir(), 'heddle-java-'))
  try {
    const compiled = run('javac', ['--release', '8', '-Xlint:-options', '-g', '-encoding', 'UTF-8', '-cp', asm, '-d', classes, ...files])
    if (compiled.status !== 0) throw new Error(`javac failed:\n${compiled.stderr}${compiled.stdout}`)
    const jar = run('jar', ['cfm', join(OUT, 'heddle-agent.jar'), MANIFEST, '-C', classes, 'heddle'])
    if (jar.status !== 0) throw new Error(`jar failed:\n${jar.stderr}`)
    copyFileSync(asm, join(OUT, 'asm.jar'))
    writeFileSync(join(OUT, 'built-from'), mark)
  } finally {
    rmSync(classes, { recursive: true, force: true })
  }
  return undefined
}

/** From Maven Central, by itself: Maven fetches thirty other things first. */
async function fetchAsm() {
  const url = `https://repo.maven.apache.org/maven2/org/ow2/asm/asm/${VERSION}/asm-${VERSION}.jar`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(30_000) })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (!answer.ok || createHash('sha256').update(bytes).digest('hex') !== SHA256) return undefined
    const path = join(tmpdir(), `heddle-asm-${process.pid}.jar`)
    writeFileSync(path, bytes, { flag: 'wx', mode: 0o600 })
    process.on('exit', () => rmSync(path, { force: true }))
    return path
  } catch {
    return undefined
  }
}

async function findAsm() {
  const local = process.env.MAVEN_REPO_LOCAL ?? join(homedir(), '.m2/repository')
  const path = join(local, 'org/ow2/asm/asm', VERSION, `asm-${VERSION}.jar`)
  if (isJar(path)) return path
  const fetched = await fetchAsm()
  if (fetched !== undefined) return fetched
  if (!isThere('mvn')) return debian()
  run('mvn', ['-q', '-B', 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:get', `-Dartifact=org.ow2.asm:asm:${VERSION}`], {
    stdio: 'ignore',
    timeout: 240_000,
  })
  return isJar(path) ? path : debian()
}

/** Debian's is older, and reads the class files of older JDKs alone. */
const debian = () => (isJar('/usr/share/java/asm.jar') ? '/usr/share/java/asm.jar' : undefined)

function isJar(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
