// jprichardson/node-fs-extra#702 (PR #768, v9.0.0): outputJson() writes the object as it is when the directory is there, not as it was given
// expects: order-violation, atomicity at step
// bug: node_modules/jsonfile/index.js:86
const { pass, fail, hold, latch, load } = require('./harness.cjs')
const fs = require('fs')
const os = require('os')
const path = require('path')
const changed = latch()
hold(
  fs,
  'mkdir',
  () => true,
  () => changed,
)
const fse = load()
const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'fse-')), 'logs', 'state.json')
const state = { step: 1 }
const written = fse.outputJson(file, state) // bug
setTimeout(async () => {
  state.step = 2 // bug
  changed.open()
  await written
  const { step } = JSON.parse(fs.readFileSync(file, 'utf8'))
  if (step === 1) pass()
  else fail(`the file holds step ${step}`)
}, 30)
