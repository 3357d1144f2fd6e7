// Two flows settle one deferred.
// flags: --timers latency --property library:SettledOnce --max-findings 1 --confirm 1

class Deferred {
  constructor() {
    this.promise = new Promise((resolve, reject) => Object.assign(this, { done: resolve, failed: reject }))
  }
  resolve(value) {
    this.done(value)
  }
  reject(error) {
    this.failed(error)
  }
}
const deferred = new Deferred()
deferred.promise.catch(() => {})
setTimeout(() => deferred.resolve(1), 5)
setTimeout(() => deferred.reject(new Error('too late')), 40) // expect SettledOnce
