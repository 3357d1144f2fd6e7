/** Loads the watchers with --require. Node loads what --require names into the threads of loaders, too, where nothing is watched. */
const { isMainThread, getEnvironmentData } = require('node:worker_threads')

if (isMainThread || getEnvironmentData('\0heddle: start of a worker') !== undefined) require('./messages-watch.mjs').watch(__filename)
