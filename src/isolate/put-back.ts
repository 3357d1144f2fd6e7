/**
 * For machines where replays cannot have private files: what the recorded run changed is restored in the real folder before each replay, and the
 * run's own result is put back when all are done. Replays write to the real files there. Other files that they leave stay.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../base/make-folder.ts'
import { orNothing } from '../base/or-nothing.ts'
import type { StartState } from './start-state.ts'

const EXACTLY = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, force: true, errorOnExist: false } as const

export class PutBack {
  /** Of what the run made or changed. */
  private readonly created: readonly string[]
  private readonly after: string
  private touched = false

  /** `place`: a folder for copies. */
  constructor(
    private readonly root: string,
    private readonly state: StartState,
    place: string,
  ) {
    this.after = join(place, 'after')
    this.created = state.created === undefined ? [] : readFileSync(state.created, 'utf8').split('\0').filter(Boolean)
    for (const name of this.created) copy(join(root, name), join(this.after, name))
  }

  /** Is there anything to put back? */
  get changes(): boolean {
    return this.created.length > 0 || this.state.saved !== undefined
  }

  /** The files as the recorded run found them. */
  start(): void {
    if (!this.changes) return
    this.touched = true
    for (const name of this.created) rmSync(join(this.root, name), { recursive: true, force: true })
    if (this.state.saved !== undefined) cpSync(this.state.saved, this.root, EXACTLY)
  }

  /** The files as the recorded run left them. */
  end(): void {
    if (!this.touched) return
    this.touched = false
    const { saved } = this.state
    for (const name of saved === undefined ? [] : leavesOf(saved)) rmSync(join(this.root, name), { recursive: true, force: true })
    for (const name of this.created) {
      rmSync(join(this.root, name), { recursive: true, force: true })
      copy(join(this.after, name), join(this.root, name))
    }
  }
}

function copy(from: string, to: string): void {
  orNothing(() => {
    makeFolder(dirname(to))
    cpSync(from, to, EXACTLY)
  })
}

/** Files, and folders without any: those that the run removed. */
function leavesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const above = new Set(names.map((name) => dirname(name)))
  return names.filter((name) => !above.has(name) && existsSync(folder))
}
