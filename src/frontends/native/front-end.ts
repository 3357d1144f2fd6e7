/** The front end for native programs: which commands start one that can be observed. */
import { accessSync, constants, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { programNotAllowed } from '../../process/errors.ts'
import type { Command, FrontEnd } from '../contract.ts'
import { nativeBinary } from './binary.ts'
import { children } from './children.ts'
import { doctor } from './doctor.ts'
import { libtoolScript, startsOthers } from './errors.ts'
import { NAME, NativeProgram } from './program.ts'

/** Native programs, but what the user means is what they start. */
const STARTERS = new Set(
  (
    'sh bash dash zsh ksh fish busybox env make gmake ninja cmake ctest meson time timeout nice nohup setsid stdbuf taskset sudo su doas chroot ' +
    'unshare xargs parallel watch script strace ltrace gdb lldb valgrind perf rr docker podman ssh git cargo go'
  ).split(' '),
)

export const nativeFrontEnd: FrontEnd = { name: NAME, recognise, children, doctor }

function recognise({ word, args, env, cwd, notes, file }: Command): NativeProgram | undefined {
  const { path, head, shebang } = file()
  if (shebang && /\blibtool\b/.test(head.split('\n', 4).join('\n'))) throw libtoolScript(word)
  if (!head.startsWith('\x7fELF')) return undefined
  const real = realpathSync(path)
  // A program of the user's own may have such a name.
  const installed = !word.includes('/') || /^\/(usr\/)?(local\/)?s?bin\//.test(real)
  for (const one of installed ? [basename(word), basename(real)] : []) if (STARTERS.has(one)) throw startsOthers(one)
  try {
    accessSync(path, constants.X_OK)
  } catch {
    throw programNotAllowed(word)
  }
  const binary = nativeBinary(path, word)
  if (binary === undefined) return undefined
  return new NativeProgram({ file: path, args, env, notes: [...notes, ...binary.notes], ...(cwd === undefined ? {} : { cwd }) }, binary)
}
