/** The user's Node with the runtime in front. The config travels in a file, its name in the environment. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeJson } from '../../base/json-file.ts'
import type { Start } from '../../process/recorded.ts'
import { withFlags } from '../../runtime/js/flags.ts'
import { RUN_VARIABLE, type RunConfig } from '../../runtime/js/protocol.ts'
import { cacheFor } from './cache-folder.ts'
import { runtimeMissing } from './errors.ts'
import type { Launch } from './launch.ts'

/** Programs run the built runtime, also when Heddle itself runs from its sources (in tests). */
export const REGISTER = new URL(`${import.meta.url.endsWith('.ts') ? '../../../dist' : '../..'}/runtime/js/register.js`, import.meta.url)

export function startOf(launch: Launch, config: RunConfig, folder: string, cwd: string, flags: readonly string[] = []): Start {
  const register = fileURLToPath(REGISTER)
  if (!existsSync(register)) throw runtimeMissing(register)
  const path = join(folder, `${config.mode}.json`)
  writeJson(path, { ...config, ...cacheFor(cwd, REGISTER) } satisfies RunConfig)
  return {
    file: launch.node,
    args: launch.inner ? [...flags, ...launch.args] : withFlags([...flags, ...launch.args], ['--import', REGISTER.href]),
    env: { ...process.env, ...launch.env, [RUN_VARIABLE]: path },
    cwd: launch.cwd ?? cwd,
  }
}
