/** The stack of what nobody caught: frames of the program, without Node's and ours. */
import { expect, test } from 'vitest'
import { ofProgram } from '../../../src/frontends/node/program.ts'

test('frames of Node and of the runtime are left out', () => {
  const stack = `Error: port 8080 is taken
    at f (a.js:1:2)
    at node:net:3:4
    at Server.listen (node:net:3:4)
    at run (/x/heddle/dist/runtime/js/core.js:1:1)`
  expect(ofProgram(stack)).toEqual(['at f (a.js:1:2)'])
})
