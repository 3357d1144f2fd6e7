/** Makes a little program smaller, line by line, as long as something holds of it: what is left is a test to keep. */
import { HeddleError } from '../../../src/errors.ts'
import { compile } from './compile.ts'

export async function shrink(text: string, holds: (text: string) => Promise<boolean>): Promise<string> {
  let lines = text.split('\n')
  for (let length = Math.ceil(lines.length / 2); length > 0; length = Math.floor(length / 2)) {
    for (let from = 0; from + length <= lines.length;) {
      const fewer = lines.toSpliced(from, length)
      if (isProgram(fewer.join('\n')) && (await holds(fewer.join('\n')))) lines = fewer
      else from++
    }
  }
  return lines.join('\n')
}

function isProgram(text: string): boolean {
  try {
    compile(text)
    return true
  } catch (error) {
    if (error instanceof HeddleError) return false
    throw error
  }
}
