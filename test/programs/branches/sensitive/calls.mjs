/** The value passes through functions, methods, an arrow function and a recursion before anybody decides. */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

class Tank {
  level = 2
  inLitres() {
    return this.level * 10
  }
}

const tank = new Tank()
const half = (n) => n / 2
let alarms = 0

function twice(n, times) {
  return times === 0 ? n : twice(n * 2, times - 1)
}

async function fill() {
  await access(new URL(import.meta.url))
  tank.level = 7
}

async function watch() {
  await sleep(80)
  const level = twice(half(tank.inLitres()), 2)
  if (level > 100) alarm() // sensitive: harmful
}

function alarm() {
  alarms++
}

await Promise.all([fill(), watch()])
console.log(`${alarms} alarms`)
