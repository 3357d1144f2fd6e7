/** Starts the user's Node with the runtime preloaded. The config is in a file, whose name is in the environment. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeJson } from '../../base/json-file.ts'
import { orNothing } from '../../base/or-nothing.ts'
import type { Start } from '../../process/recorded.ts'
import { MORE_STACK, withFlags } from '../../runtime/js/flags.ts'
import { RUN_VARIABLE, type RunConfig } from '../../runtime/js/protocol.ts'
import { cacheFor } from './cache-folder.ts'
import { runtimeMissing } from './errors.ts'
import type { Launch } from './launch.ts'

/** Programs run the built runtime, also when Heddle itself runs from its sources (in tests). */
export const REGISTER = new URL(`${import.meta.url.endsWith('.ts') ? '../../../dist' : '../..'}/preload/register.js`, import.meta.url)

export function startOf(launch: Launch, config: RunConfig, folder: string, cwd: string, flags: readonly string[] = []): Start {
  const register = fileURLToPath(REGISTER)
  if (!existsSync(register)) throw runtimeMissing(register)
  const path = join(folder, `${config.mode}.json`)
  writeJson(path, { ...config, ...cacheFor(cwd, REGISTER) } satisfies RunConfig)
  return {
    file: launch.node,
    args: launch.inner
      ? [...flags, ...launch.args]
      : withFlags([...flags, ...launch.args], ['--import', REGISTER.href, ...moreStack(launch.args)]),
    env: { ...process.env, ...launch.env, [RUN_VARIABLE]: path },
    cwd: launch.cwd ?? cwd,
  }
}

/** The engine takes the word of its flag for what the system allows: it is raised only where there is clearly more, and where the program says nothing itself. */
function moreStack(args: readonly string[]): string[] {
  if (args.some((word) => /^--stack[-_]size\b/.test(word))) return []
  const [, soft] = /^Max stack size\s+(\d+|unlimited)/m.exec(orNothing(() => readFileSync('/proc/self/limits', 'utf8')) ?? '') ?? []
  return soft === 'unlimited' || Number(soft ?? 0) >= ENOUGH_STACK ? [MORE_STACK] : []
}

const ENOUGH_STACK = 4 << 20
