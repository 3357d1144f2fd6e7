/**
 * The usual way to provoke such bugs: random delays. Preloaded (`node --require`), it holds back the start or the callback of one in three
 * file, zlib, dns and connect operations by up to 50 ms, and lets one in three timers be up to 50 ms late. SEED makes a run repeatable.
 */
'use strict'
const fs = require('node:fs')
const zlib = require('node:zlib')
const dns = require('node:dns')
const net = require('node:net')

const MOST_MS = 50
let state = Number(process.env.SEED ?? 1) >>> 0
const random = () => {
  // mulberry32
  state = (state + 0x6d2b79f5) >>> 0
  let t = Math.imul(state ^ (state >>> 15), state | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}
const hit = () => random() < 1 / 3
const later = global.setTimeout

function late(object, name) {
  const original = object[name]
  function delayed(...args) {
    const callback = args.at(-1)
    if (typeof callback !== 'function' || !hit()) return original.apply(this, args)
    const ms = random() * MOST_MS
    if (random() < 0.5) return void later(() => original.apply(this, args), ms)
    args[args.length - 1] = function (...results) {
      later(() => callback.apply(this, results), ms)
    }
    return original.apply(this, args)
  }
  object[name] = Object.defineProperties(delayed, Object.getOwnPropertyDescriptors(original))
}
function latePromise(object, name) {
  const original = object[name]
  object[name] = async function (...args) {
    if (!hit()) return original.apply(this, args)
    const wait = () => new Promise((resolve) => later(resolve, random() * MOST_MS))
    if (random() < 0.5) {
      await wait()
      return original.apply(this, args)
    }
    try {
      return await original.apply(this, args)
    } finally {
      await wait()
    }
  }
}

const FILES =
  'access appendFile chmod chown close copyFile exists fchmod fchown fstat fsync ftruncate link lstat mkdir mkdtemp open read readdir readFile realpath rename rm rmdir stat symlink truncate unlink utimes write writeFile'
for (const name of FILES.split(' ')) late(fs, name)
for (const name of Object.keys(fs.promises)) {
  if (typeof fs.promises[name] === 'function' && name !== 'watch') latePromise(fs.promises, name)
}
for (const name of ['gzip', 'gunzip', 'deflate', 'inflate', 'unzip', 'deflateRaw', 'inflateRaw', 'brotliCompress', 'brotliDecompress'])
  late(zlib, name)
late(dns, 'lookup')
// What a socket or a server reports comes late as a whole: events of one socket keep their order.
for (const prototype of [net.Socket.prototype, net.Server.prototype]) {
  const emit = prototype.emit
  prototype.emit = function (event, ...args) {
    if (event !== 'connect' && event !== 'data' && event !== 'end' && event !== 'close' && event !== 'connection' && event !== 'listening')
      return emit.call(this, event, ...args)
    const waiting = (this._lateUntil ??= 0)
    const now = performance.now()
    const at = Math.max(waiting, hit() ? now + random() * MOST_MS : now)
    if (at <= now) return emit.call(this, event, ...args)
    this._lateUntil = at
    later(() => emit.call(this, event, ...args), at - now)
    return true
  }
}
const { setTimeout: timeout } = global
global.setTimeout = Object.defineProperties(function (callback, ms = 1, ...args) {
  return timeout(callback, hit() ? Number(ms) + random() * MOST_MS : ms, ...args)
}, Object.getOwnPropertyDescriptors(timeout))
