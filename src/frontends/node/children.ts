/** Processes that a Node program starts and other front ends know: src/runtime/js/children.ts adds their runtime. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ChildrenConfig } from '../../runtime/js/protocol.ts'
import type { ChildKind, EndedInside, ProcessPart, ReadPlan, Recording, ReplayPlan } from '../contract.ts'

const foldersIn = (folder: string): string => join(folder, 'children')
const nameOf = (nth: number): string => `child ${nth}`
const nthOf = (name: string): number => Number(/^child (\d+)$/.exec(name)?.[1] ?? 0)

/** `plan`: of a replay; recorded runs have none. */
export function childrenConfig(kinds: readonly ChildKind[], folder: string, plan?: ReplayPlan): { children?: ChildrenConfig } {
  const { schedule, run, toDraw = false } = plan ?? {}
  const of = run?.processes?.find(({ name }) => name === schedule?.process)?.run
  const attached = kinds.flatMap((kind) => kind.attach(schedule, of, toDraw) ?? [])
  // A recorded run also says which processes were not observed.
  if (attached.length === 0 && plan !== undefined) return {}
  const only = schedule?.process === undefined ? undefined : nthOf(schedule.process)
  return { children: { folder: foldersIn(folder), kinds: attached, ...(only === undefined ? {} : { only }) } }
}

/** In the order in which they were started. */
export function childRuns(kinds: readonly ChildKind[], recording: Recording, plan: ReadPlan): ProcessPart[] {
  const parts: ProcessPart[] = []
  for (const [nth, folder] of foldersOf(recording.folder)) {
    for (const kind of kinds) {
      const run = kind.read(folder, recording, plan)
      if (run) parts.push({ name: nameOf(nth), run })
    }
  }
  return parts
}

/** What the runtimes in them say: of the one that the schedule is for, and what all of them saw. */
export function childrenEnded(kinds: readonly ChildKind[], { folder, cwd, schedule, toDraw }: ReplayPlan): EndedInside {
  let ended: EndedInside = { waiting: [], notes: [], seen: [] }
  for (const [nth, at] of foldersOf(folder)) {
    const isMeant = nameOf(nth) === schedule.process
    for (const kind of kinds) {
      const one = kind.ended(at, cwd, schedule, toDraw && isMeant)
      const seen = [...ended.seen, ...one.seen]
      ended = isMeant ? { ...one, seen } : { ...ended, crash: ended.crash ?? one.crash, seen }
    }
  }
  return ended
}

/** Can nothing in one of them go on? The program may wait for it for ever. */
export function childIsStuck(kinds: readonly ChildKind[], folder: string): boolean {
  for (const [, at] of foldersOf(folder)) if (kinds.some((kind) => kind.isStuck(at))) return true
  return false
}

function* foldersOf(folder: string): Generator<readonly [number, string]> {
  for (let nth = 1; ; nth++) {
    const at = join(foldersIn(folder), `child-${nth}`)
    if (!existsSync(at)) return
    yield [nth, at]
  }
}
