// minimal in-memory redis: one store, several connections, WATCH/MULTI/EXEC, PX/NX/XX, async replies
class Store {
  constructor() {
    this.m = new Map()
    this.ver = new Map()
  }
  live(k) {
    const e = this.m.get(k)
    if (e && e.exp && e.exp <= Date.now()) {
      this.m.delete(k)
      this.bump(k)
      return undefined
    }
    return e
  }
  bump(k) {
    this.ver.set(k, (this.ver.get(k) || 0) + 1)
  }
  run([c, ...a]) {
    switch (c) {
      case 'get': {
        const e = this.live(a[0])
        return e ? String(e.v) : null
      }
      case 'mget':
        return a.map((k) => {
          const e = this.live(k)
          return e ? String(e.v) : null
        })
      case 'setnx':
        if (this.live(a[0])) return 0
        this.m.set(a[0], { v: a[1] })
        this.bump(a[0])
        return 1
      case 'set': {
        const f = a.slice(2).map((x) => String(x).toUpperCase())
        const cur = this.live(a[0])
        if (f.includes('NX') && cur) return null
        if (f.includes('XX') && !cur) return null
        const i = f.indexOf('PX')
        const e = { v: a[1] }
        if (i >= 0) e.exp = Date.now() + Number(a[2 + i + 1])
        this.m.set(a[0], e)
        this.bump(a[0])
        return 'OK'
      }
      case 'decr': {
        let e = this.live(a[0])
        if (!e) {
          e = { v: 0 }
          this.m.set(a[0], e)
        }
        e.v = Number(e.v) - 1
        this.bump(a[0])
        return e.v
      }
      case 'expire': {
        const e = this.live(a[0])
        if (!e) return 0
        e.exp = Date.now() + a[1] * 1000
        return 1
      }
      case 'pexpire': {
        const e = this.live(a[0])
        if (!e) return 0
        e.exp = Date.now() + Number(a[1])
        return 1
      }
      case 'pttl': {
        const e = this.live(a[0])
        return !e ? -2 : e.exp ? e.exp - Date.now() : -1
      }
      default:
        throw new Error('cmd ' + c)
    }
  }
}
class Conn {
  constructor(store, name) {
    this.s = store
    this.name = name
    this.w = new Map()
    this.q = []
    this.gates = []
  }
  reply(cmd, f, cb) {
    const g = this.gate && this.gate(cmd)
    const go = () =>
      setImmediate(() => {
        const r = f()
        setImmediate(() => cb(null, r))
      })
    if (g) g.then(go)
    else go()
  }
  watch(k, cb) {
    this.reply(
      ['watch', k],
      () => {
        this.s.live(k)
        this.w.set(k, this.s.ver.get(k) || 0)
        return 'OK'
      },
      cb,
    )
  }
  mget(...a) {
    const cb = a.pop()
    this.reply(['mget', ...a], () => this.s.run(['mget', ...a]), cb)
  }
  decr(k, cb) {
    this.reply(['decr', k], () => this.s.run(['decr', k]), cb)
  }
  multi() {
    const q = []
    const me = this
    const p = {
      exec(cb) {
        me.reply(
          ['exec', ...q],
          () => {
            const dirty = [...me.w].some(([k, v]) => (me.s.live(k), (me.s.ver.get(k) || 0) !== v))
            me.w.clear()
            return dirty ? null : q.map((c) => me.s.run(c))
          },
          cb,
        )
      },
    }
    for (const c of ['get', 'setnx', 'set', 'expire', 'pexpire', 'pttl', 'decr'])
      p[c] = (...a) => {
        q.push([c, ...a])
        return p
      }
    return p
  }
}
module.exports = { Store, Conn }
