/** A command as the program that Heddle would run, which has to be a native one. */
import { FRONT_ENDS } from '../../src/frontends/all.ts'
import { recognise } from '../../src/frontends/command.ts'
import { NativeProgram } from '../../src/frontends/native/program.ts'

export function recognised(words: readonly string[], cwd: string): NativeProgram {
  const program = recognise(words, cwd, FRONT_ENDS)
  if (program instanceof NativeProgram) return program
  throw new Error(`${words.join(' ')} is a program of ${program.frontEnd}`)
}
