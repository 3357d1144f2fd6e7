/**
 * The smallest front end: little concurrent programs, `litmus FILE` or `litmus TEXT` (a text has more than one line). It is for tests, and the skeleton to copy.
 *
 *     parse.ts         the language
 *     compile.ts       its programs as lists of instructions
 *     threads.ts       the state machine of threads       loop.ts           that of an event loop
 *     follow.ts        carries out schedules of steps     loop-run.ts       carries out delays
 *     threads-trace.ts what was recorded, as a trace      loop-trace.ts     the same of a loop
 *     vocabulary.ts    steps in words
 *     program.ts       record, read, replay
 *     enumerate.ts     all schedules of threads           loop-enumerate.ts all orders of a loop
 */
import { readFileSync } from 'node:fs'
import type { Command, FrontEnd, Program } from '../../../src/frontends/contract.ts'
import { compile } from './compile.ts'
import { badOption, noFile, noProgram } from './errors.ts'
import { LitmusProgram, NAME } from './program.ts'

export const litmus: FrontEnd = { name: NAME, recognise }

function recognise({ word, args: [program, ...options] }: Command): Program | undefined {
  if (word !== NAME) return undefined
  if (program === undefined) throw noProgram()
  return new LitmusProgram(compile(program.includes('\n') ? program : textIn(program)), seedOf(options))
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw noFile(path)
  }
}

function seedOf([option, seed, ...rest]: readonly string[]): number | undefined {
  if (option === undefined) return undefined
  if (option !== '--order' || !/^\d+$/.test(seed ?? '') || rest.length > 0) throw badOption(option)
  return Number(seed)
}
