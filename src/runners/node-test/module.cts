/**
 * What `import … from 'node:test'` gets in a process of tests. CommonJS, because on some ways Node takes ES modules cannot be waited for. For `import` it has
 * to name what it exports in its text: the names of every Node; those that this one lacks are undefined.
 */
import real = require('node:test')

const wrap = (globalThis as Record<symbol, unknown>)[Symbol.for('heddle.node-test')] as ((theirs: typeof real) => typeof real) | undefined

declare const exports: Record<string, unknown>
exports['test'] = exports['it'] = exports['suite'] = exports['describe'] = undefined
exports['before'] = exports['after'] = exports['beforeEach'] = exports['afterEach'] = undefined
exports['skip'] = exports['todo'] = exports['only'] = exports['expectFailure'] = undefined
exports['mock'] = exports['snapshot'] = exports['assert'] = exports['run'] = exports['getTestContext'] = undefined

export = wrap === undefined ? real : wrap(real)
