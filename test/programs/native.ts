/** Programs in C and C++ (marked.ts), built with `heddle cc`. */
import { spawnSync } from 'node:child_process'
import { extname, join } from 'node:path'
import { expect } from 'vitest'
import { node } from '../node-bugs/run.ts'
import { checksOf, HEDDLE, markedPrograms, type MarkedProgram, type Verdict } from './marked.ts'

export const nativePrograms = (verdict: Verdict): MarkedProgram[] => markedPrograms(verdict, 'c', /\.(c|cpp)$/)

const compilers = { '.c': 'gcc', '.cpp': 'g++' } as const
const missing = Object.values(compilers).filter((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status !== 0)
/** Why nothing can be tried here; empty when all is there. */
export const cannot = process.platform !== 'linux' ? 'native programs need Linux' : missing.length > 0 ? `no ${missing.join(', no ')}` : ''

export const { missed, alarm, headline } = checksOf(async ({ name, file }, cwd) => {
  const words = [HEDDLE, extname(file) === '.c' ? 'cc' : 'c++', '-g', '-pthread', '-o', name, file]
  const built = await node(words, cwd, 300_000)
  expect(built, built.err).toMatchObject({ code: 0, err: '' })
  return [join(cwd, name)]
})
