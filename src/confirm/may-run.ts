/** May the command in a file be run? Only if the user has allowed it: by recording it here, or now. */
import { isKnownCommand } from '../store/own-commands.ts'
import { commandNotKnown, otherCommand } from '../store/errors.ts'

export interface Allowed {
  /** `--yes`. */
  readonly yes: boolean
  /** What was given after `--`; empty where nothing was. */
  readonly command: readonly string[]
  /** Somebody who can be asked. */
  readonly ask?: (() => Promise<boolean>) | undefined
}

/** An error where it may not. */
export async function mayRun(command: readonly string[], cwd: string, { yes, command: given, ask }: Allowed): Promise<void> {
  if (given.length > 0) {
    if (JSON.stringify(given) !== JSON.stringify(command)) throw otherCommand(command, given)
  } else if (!yes && !isKnownCommand(cwd, command) && !(await ask?.())) throw commandNotKnown(command, cwd)
}
