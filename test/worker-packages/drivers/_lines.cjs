/** The worker of thread-stream.cjs: what arrives is written to a file. */
const { createWriteStream } = require('node:fs')

module.exports = async ({ file }) => createWriteStream(file)
