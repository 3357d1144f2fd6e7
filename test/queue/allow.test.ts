/** A worker runs only what its owner listed, whatever is on the queue. */
import { expect, test } from 'vitest'
import { isAllowed } from '../../src/farm/allow.ts'

const words = (text: string): string[] => text.split(' ')

test.each([
  ['node app.js', 'node app.js'],
  ['node *.js', 'node app.js'],
  ['node *.js', 'node lib/app.js'],
  ['node --test **', 'node --test'],
  ['node --test **', 'node --test a.test.js test/b.test.js'],
  ['node --test ** --test-reporter dot', 'node --test a.test.js --test-reporter dot'],
  ["node 'my app.js'", 'node|my app.js'],
  ['./build/*', './build/queue'],
])('%s allows %s', (pattern, command) => {
  expect(isAllowed(command.includes('|') ? command.split('|') : words(command), ['never this', pattern])).toBe(true)
})

test.each([
  ['node app.js', 'node other.js'],
  ['node app.js', 'node app.js more'],
  ['node app.js', 'node'],
  ['node **', 'node --eval=1'],
  ['node **', 'node -e process.exit(1)'],
  ['node --test **', 'node --test --import=data:text/javascript,1'],
  ['node --test **', 'node --test --import ./evil.mjs'],
  ['node --test **', 'node --test /etc/passwd'],
  ['node --test **', 'node --test ../elsewhere.js'],
  ['node --test **', 'node --test a/../../b.js'],
  ['node *', 'node data:text/javascript,1'],
  ['node *', 'node http://host/x.js'],
  ['* app.js', '/bin/sh app.js'],
  ['**', 'sh -c id'],
  ['node a*.js', 'node ../a.js'],
])('%s does not allow %s', (pattern, command) => {
  expect(isAllowed(words(command), [pattern])).toBe(false)
})

test('without a pattern nothing is allowed, and a command without words is none', () => {
  expect(isAllowed(['node', 'app.js'], [])).toBe(false)
  expect(isAllowed([], ['**'])).toBe(false)
})

test('patterns with many stars take no time', () => {
  const pattern = Array.from({ length: 40 }, () => '** a*a*a*a').join(' ')
  // Exponential, it would not end.
  expect(isAllowed([...Array.from({ length: 2000 }, () => 'aaaaaaaaaaaaaaaaaaaaaaaa'), 'b'], [pattern])).toBe(false)
})
