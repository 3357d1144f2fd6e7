/** Jars from Maven Central, in a cache outside the repository. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'

const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'heddle/java-tests')
const CENTRAL = 'https://repo.maven.apache.org/maven2'

/** The jars that a pom.xml names, with all that they need; or why not. */
export function jarsOf(pom: string): readonly string[] | { readonly missing: string } {
  const folder = join(CACHE, createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 16))
  if (!existsSync(folder)) {
    if (spawnSync('mvn', ['-v'], { stdio: 'ignore' }).status !== 0) return { missing: 'no Maven' }
    const part = `${folder}-${process.pid}`
    mkdirSync(part, { recursive: true })
    const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.0:copy-dependencies'
    const words = ['-q', '-B', '-f', pom, goal, `-DoutputDirectory=${part}`]
    const { status } = spawnSync('mvn', words, { stdio: 'ignore', timeout: 600_000 })
    if (status !== 0 || readdirSync(part).length === 0) {
      rmSync(part, { recursive: true, force: true })
      return { missing: 'Maven could not fetch the libraries' }
    }
    keep(part, folder)
  }
  return readdirSync(folder).map((name) => join(folder, name))
}

/** One jar by its path there, as `org/jacoco/org.jacoco.agent/0.8.13/org.jacoco.agent-0.8.13-runtime.jar`; undefined where it cannot be had. */
export async function jarAt(path: string): Promise<string | undefined> {
  const file = join(CACHE, basename(path))
  if (existsSync(file)) return file
  try {
    const answer = await fetch(`${CENTRAL}/${path}`, { signal: AbortSignal.timeout(120_000) })
    if (!answer.ok) return undefined
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(`${file}-${process.pid}`, Buffer.from(await answer.arrayBuffer()))
    keep(`${file}-${process.pid}`, file)
    return file
  } catch {
    return undefined
  }
}

/** Another process may have been faster. */
function keep(part: string, whole: string): void {
  try {
    renameSync(part, whole)
  } catch {
    rmSync(part, { recursive: true, force: true })
  }
}
