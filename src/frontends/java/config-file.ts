/** The settings of the agent in a Java program: the `config` file of docs/java-format.md. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../base/make-folder.ts'
import type { PlaceHold, Schedule, ThreadStep } from '../../schedule/schedule.ts'
import type { OrderKind } from '../../trace/trace.ts'
import { kindOf } from './kinds.ts'
import type { JavaWatch } from './library.ts'

/** The environment variable that names the folder. */
export const JAVA_VARIABLE = 'HEDDLE_JAVA'

export interface JavaConfig {
  readonly mode: 'record' | 'replay' | 'delay' | 'plain'
  /** Replays write records, too. */
  readonly trace?: boolean
  /** `task`: no clocks; records of different threads have no order. */
  readonly order?: OrderKind | undefined
  readonly lastFirst?: boolean
  /** The file with what threads of the recorded run read of clocks. */
  readonly clocks?: string
  readonly goesOn?: boolean
  readonly lines?: readonly ThreadStep[]
  readonly holds?: readonly PlaceHold[]
  /** Site to places as the agent knows them. */
  readonly places?: ReadonlyMap<string, readonly string[]>
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** Calls to record. */
  readonly watch?: readonly JavaWatch[]
}

/** The folder for the agent inside the folder of a run. */
export const javaFolder = (run: string): string => join(run, 'java')

/** Makes the folder anew: what an earlier attempt has left there would keep the agent off. */
export function writeConfig(run: string, config: JavaConfig): string {
  const folder = javaFolder(run)
  rmSync(folder, { recursive: true, force: true })
  makeFolder(join(folder, 'threads'))
  writeFileSync(join(folder, 'config'), configText(config))
  return folder
}

export function configText({
  mode,
  trace,
  order,
  lastFirst,
  clocks,
  goesOn,
  lines = [],
  holds = [],
  places,
  include = [],
  exclude = [],
  watch = [],
}: JavaConfig): string {
  const settings = [
    `mode ${mode}`,
    ...(trace ? ['trace 1'] : []),
    ...(order === 'task' ? ['order task'] : []),
    ...(lastFirst ? ['last-first 1'] : []),
    ...(clocks === undefined ? [] : [`clocks ${clocks}`]),
    ...(goesOn ? ['goes-on 1'] : []),
    ...include.map((part) => `include ${part}`),
    ...exclude.map((part) => `exclude ${part}`),
    ...watch.map(
      ({ kind, owner = '-', subclasses, name, when, args, except = [] }) =>
        `watch ${[kind, owner, subclasses ? 1 : 0, name, when.join(','), args, except.join(',') || '-'].join('\t')}`,
    ),
    ...lines.map(
      ({ task, upTo, does, site, timesOut }) =>
        `line ${[upTo, kindOf(does), timesOut ? 1 : 0, listOf(places?.get(site)), task].join('\t')}`,
    ),
    ...holds.map(
      ({ places: { held, until, kinds }, most, ms, from }) =>
        `hold ${[listOf(held), kinds[0], listOf(until), kinds[1], most, ms, from].join('\t')}`,
    ),
  ]
  // A line of the file is a line: names may have anything in them.
  return settings.map((line) => `${line.replaceAll(/[\r\n\0]/g, ' ')}\n`).join('')
}

const MOST_PLACES = 8

/** `0`: they are not known, or too many. */
function listOf(places: readonly string[] = []): string {
  const plain = places.map((place) => place.replaceAll(/[\s,]/g, '_'))
  return plain.length === 0 || plain.length > MOST_PLACES ? '0' : plain.join(',')
}

/** A schedule as the agent is told: nothing is held in a plain run. */
export function configOf(schedule: Schedule, toDraw: boolean, places: ReadonlyMap<string, readonly string[]>): JavaConfig {
  switch (schedule.kind) {
    case 'holds':
      return { mode: 'delay', trace: toDraw, holds: schedule.holds }
    case 'steps': {
      const { steps, lastFirst = false, goesOn = false } = schedule
      return { mode: 'replay', trace: toDraw, lines: steps, places, lastFirst, goesOn }
    }
    default:
      return { mode: toDraw ? 'record' : 'plain' }
  }
}
