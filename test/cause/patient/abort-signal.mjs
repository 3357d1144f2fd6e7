/** Reads are given up after 700 ms by a signal. */
import { readFile } from 'node:fs/promises'

const file = new URL(import.meta.url)
const texts = await Promise.all([1, 2].map(() => readFile(file, { encoding: 'utf8', signal: AbortSignal.timeout(700) })))
if (texts[0] !== texts[1]) throw new Error('they differ')
console.log('the same twice')
