/**
 * What `import … from 'node:test'` gets in a test process. CommonJS, because some of Node's ways to load it cannot wait for an ES module. For
 * `import` its text has to name its exports: the names of all versions of Node; those that this version lacks are undefined.
 */
import real = require('node:test')

const wrap = (globalThis as Record<symbol, unknown>)[Symbol.for('heddle.node-test')] as ((theirs: typeof real) => typeof real) | undefined

declare const exports: Record<string, unknown>
exports['test'] = exports['it'] = exports['suite'] = exports['describe'] = undefined
exports['before'] = exports['after'] = exports['beforeEach'] = exports['afterEach'] = undefined
exports['skip'] = exports['todo'] = exports['only'] = exports['expectFailure'] = undefined
exports['mock'] = exports['snapshot'] = exports['assert'] = exports['run'] = exports['getTestContext'] = undefined

export = wrap === undefined ? real : wrap(real)
