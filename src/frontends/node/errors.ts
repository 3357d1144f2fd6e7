/** What can be wrong with a command for Node, one function each. */
import { HeddleError, quote } from '../../errors.ts'

const EXAMPLE = 'heddle check -- node app.js'

export const otherJavaScript = (word: string): HeddleError =>
  new HeddleError('not-a-node-program', `${quote(word)} is not a Node program`, `Run it with Node, as in \`${EXAMPLE}\``)

export const writeNodeFirst = (word: string): HeddleError =>
  new HeddleError('write-node-first', `${quote(word)} is a file without a #! line`, `Write \`node ${word}\``)

export const writeTsxFirst = (word: string): HeddleError =>
  new HeddleError('write-tsx-first', `${quote(word)} is TypeScript`, `Write \`npx tsx ${word}\`, or run the compiled program`)

export const watchesForever = (word: string): HeddleError =>
  new HeddleError('watches-forever', `${quote(word)} starts the program again and again`, 'Leave the watch mode out')

export const runtimeMissing = (path: string): HeddleError =>
  new HeddleError('runtime-missing', `This copy of Heddle has no ${quote(path)}`, 'Install it again, or run `npm run build` in its folder')
