/** The settings of the runtime in a native program: the `config` file of docs/native-format.md. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../base/make-folder.ts'
import type { ThreadStep } from '../../schedule/schedule.ts'
import { kindOf } from './kinds.ts'

/** The environment variable that names the folder. */
export const NATIVE_VARIABLE = 'HEDDLE_NATIVE'

export interface NativeConfig {
  readonly mode: 'record' | 'replay' | 'delay' | 'plain'
  /** Absolute path of the program. */
  readonly program: string
  /** Freed memory is filled, and kept from being used again. */
  readonly poison: boolean
  /** Replays write records, too. */
  readonly trace?: boolean
  /** False: only calls are steps. */
  readonly accesses?: boolean | undefined
  /** The exit code when all is well; left out, 0. */
  readonly goodExit?: number | undefined
  readonly lastFirst?: boolean
  readonly goesOn?: boolean
  readonly turns?: string | undefined
  readonly lines?: readonly ThreadStep[]
  /** The addresses of places in the source, as `PATH+0xHEX` (read-run.ts). Left out, a line only says of which kind its last step is. */
  readonly pcs?: ReadonlyMap<string, readonly string[]>
  /** `PC KIND UNTIL-PC UNTIL-KIND MOST MS` each. */
  readonly delays?: readonly string[]
  /** The library's part of the program (library-code.ts). */
  readonly library?: string
}

const TIMES_OUT = 1

/** The folder for the runtime inside the folder of a run. */
export const nativeFolder = (run: string): string => join(run, 'native')

/** Makes the folder anew: what an earlier attempt has left there would keep the runtime off. */
export function writeConfig(run: string, config: NativeConfig): string {
  const folder = nativeFolder(run)
  rmSync(folder, { recursive: true, force: true })
  makeFolder(join(folder, 'threads'))
  writeFileSync(join(folder, 'config'), configText(config))
  return folder
}

export function configText({
  mode,
  program,
  poison,
  trace,
  accesses = true,
  goodExit,
  lastFirst,
  goesOn,
  turns,
  lines = [],
  pcs,
  delays = [],
  library,
}: NativeConfig): string {
  const settings = [
    `mode ${mode}`,
    `program ${program}`,
    `poison ${Number(poison)}`,
    ...(trace ? ['trace 1'] : []),
    ...(accesses ? [] : ['accesses 0']),
    ...(goodExit ? [`good-exit ${goodExit}`] : []),
    ...(lastFirst ? ['last-first 1'] : []),
    ...(goesOn ? ['goes-on 1'] : []),
    ...(turns ? [`turns ${turns}`] : []),
    ...(library ? [`library ${library}`] : []),
    ...lines.map(
      ({ task, upTo, does, site, timesOut }) =>
        `line ${upTo} ${kindOf(does)} ${timesOut ? TIMES_OUT : 0} ${placesOf(pcs?.get(site) ?? [], program)} ${task}`,
    ),
    ...delays.map((delay) => `delay ${delay}`),
  ]
  // A line of the file is a line: names of programs may have anything in them.
  return settings.map((line) => `${line.replaceAll(/[\r\n\0]/g, ' ')}\n`).join('')
}

const MOST_PLACES = 16

/** `0`: they are not known, or too many, or not in the program itself, which is not always loaded in the same place. */
function placesOf(pcs: readonly string[], program: string): string {
  const places = pcs.map((pc) => (pc.startsWith(`${program}+0x`) ? pc.slice(program.length + 3).replace(/@.*/, '') : '0'))
  return places.length === 0 || places.length > MOST_PLACES || places.includes('0') ? '0' : places.join(',')
}
