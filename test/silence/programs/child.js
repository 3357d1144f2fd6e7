/** A child process: its output is complete at `close`, whichever of the pipes ends first. */
import assert from 'node:assert'
import { spawn, execFile } from 'node:child_process'
import { promisify } from 'node:util'

const child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout); console.error("ready")'])
let out = ''
let err = ''
child.stdout.setEncoding('utf8').on('data', (text) => (out += text))
child.stderr.setEncoding('utf8').on('data', (text) => (err += text))
child.stdin.end('hello')
const code = await new Promise((resolve) => child.on('close', resolve))
assert.deepEqual([code, out, err], [0, 'hello', 'ready\n'])
const { stdout } = await promisify(execFile)(process.execPath, ['-p', '6 * 7'])
assert.equal(stdout, '42\n')
console.log('hello 42')
