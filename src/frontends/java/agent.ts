/** The path of the agent for Java programs. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { noAgent } from './errors.ts'

/** From src and from dist. */
const PLACES = ['../../../dist/java', '../../java'].map((path) => fileURLToPath(new URL(path, import.meta.url)))

export function findAgent(): string | undefined {
  return PLACES.map((folder) => join(folder, 'heddle-agent.jar')).find((jar) => existsSync(jar))
}

export function agentJar(): string {
  const jar = findAgent()
  if (jar === undefined) throw noAgent()
  return jar
}
