// Seed 003, Figure 10 (Derby 2861): a field is checked, and used after a wait; another flow sets it to null.
import { readFile } from 'node:fs/promises'

class TableDescriptor {
  referencedColumnMap = { isSet: () => true }
  async getObjectName() {
    if (this.referencedColumnMap === null) return 'none'
    await pause()
    return this.referencedColumnMap.isSet()
  }
  setReferencedColumnMap() {
    this.referencedColumnMap = null
  }
}

const pause = () => readFile(import.meta.filename)
const table = new TableDescriptor()

async function reader() {
  await pause()
  await table.getObjectName()
}
async function writer() {
  for (let i = 0; i < 6; i++) await pause()
  table.setReferencedColumnMap()
}
await Promise.all([reader(), writer()])
