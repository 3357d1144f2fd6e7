// Start of a service: settings come from a file, or from the defaults where that is not there yet. Fails when both are late.
const { readFile, stat } = require('node:fs/promises')
const RIGHT = process.argv[2] === 'right'

const service = { settings: null, defaults: null }

async function loadSettings() {
  await readFile(__filename)
  service.settings = { name: 'live' }
}

async function loadDefaults() {
  await readFile(__filename)
  service.defaults = { name: 'default' }
}

async function begin(loads) {
  for (let i = 0; i < 16; i++) await stat(__filename)
  if (RIGHT) await Promise.all(loads)
  const { name } = service.settings ?? service.defaults
  service.name = name
  for (let i = 0; i < 3; i++) await stat(__filename)
}

begin([loadSettings(), loadDefaults()])
