/** Errors of `.heddle`, and of a finding or a schedule that a user asks for, one function each. */
import { HeddleError, quote } from '../errors.ts'

export const noSuchFinding = (id: string, known: readonly string[]): HeddleError =>
  new HeddleError(
    'no-such-finding',
    `There is no finding or file ${quote(id)}`,
    known.length === 0 ? 'Run `heddle check` first, in this folder' : `Known here: ${known.slice(0, 6).join(', ')}`,
  )

export const ambiguousFinding = (id: string, known: readonly string[]): HeddleError =>
  new HeddleError('ambiguous-finding', `Several findings begin with ${quote(id)}`, `Give more of it: ${known.slice(0, 6).join(', ')}`)

export const notASchedule = (path: string, why: string): HeddleError =>
  new HeddleError('not-a-schedule', `${quote(path)} holds no schedule: ${why}`, 'Give a file of .heddle/schedules, or the id of a finding')

export const oldSchedule = (path: string, version: unknown): HeddleError =>
  new HeddleError(
    'old-schedule',
    `The schedule ${quote(path)} is of version ${String(version)}, which this Heddle does not replay`,
    'Run `heddle check` again to make a new one',
  )

export const noInspector = (): HeddleError =>
  new HeddleError(
    'no-inspector',
    '--inspect is for programs with a debugger of their own, as Node has',
    'Replay without it, and look at the stacks; or attach gdb to the program while it runs',
  )

export const isALink = (path: string): HeddleError =>
  new HeddleError(
    'link-in-store',
    `${quote(path)} is a link, and Heddle follows no links there`,
    'Remove it, or put a folder or file in its place',
  )

export const notWhatItShouldBe = (path: string, what: string): HeddleError =>
  new HeddleError('not-in-store', `${quote(path)} is not ${what}`, 'Remove it, or move it elsewhere')

export const tooLarge = (path: string, bytes: number, most: number): HeddleError =>
  new HeddleError('too-large', `${quote(path)} has ${bytes} bytes, and at most ${most} are read`, 'Remove it, and run `heddle check` again')

export const runOutside = (path: string, run: string): HeddleError =>
  new HeddleError(
    'run-outside',
    `${quote(path)} names the run ${quote(run)}, which is not in .heddle/runs of this folder`,
    'Run `heddle check` again here, or take "run" out of the file',
  )

export const badRecording = (path: string, why: string): HeddleError =>
  new HeddleError('bad-recording', `${quote(path)} is not a recording: ${why}`, 'Run `heddle check` again')

export const commandNotKnown = (command: readonly string[], cwd: string): HeddleError =>
  new HeddleError(
    'command-not-known',
    `The schedule runs ${quote(command.join(' '))}, which was not recorded on this machine in ${quote(cwd)}`,
    'If you want to run it, say --yes, or give the same command after --',
  )

export const otherCommand = (command: readonly string[], given: readonly string[]): HeddleError =>
  new HeddleError(
    'other-command',
    `The schedule is for ${quote(command.join(' '))}, and not for ${quote(given.join(' '))}`,
    'Give its own command after --, word by word, or run `heddle check` with yours',
  )

export const badIgnoreLine = (path: string, line: number, text: string): HeddleError =>
  new HeddleError(
    'bad-ignore-line',
    `Line ${line} of ${path} does not say what is ignored: ${quote(text.slice(0, 80))}`,
    'Write "ID: reason" or "ID until 2027-01-31: reason", with at least eight digits of the id',
  )
