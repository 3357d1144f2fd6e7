/** The stack of an uncaught exception: frames of the program, without those of Node and Heddle. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ofProgram } from '../../../src/frontends/node/program.ts'
import { REGISTER } from '../../../src/frontends/node/start.ts'

test('frames of Node and of the runtime are left out', () => {
  const stack = `Error: port 8080 is taken
    at f (a.js:1:2)
    at node:net:3:4
    at Server.listen (node:net:3:4)
    at run (${REGISTER.href}:1:1)
    at run (${fileURLToPath(REGISTER)}:1:1)
    at g (/x/dist/runtime/js/core.js:1:1)`
  expect(ofProgram(stack)).toEqual(['at f (a.js:1:2)', 'at g (/x/dist/runtime/js/core.js:1:1)'])
})
