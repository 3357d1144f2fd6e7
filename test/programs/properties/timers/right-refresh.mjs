// The same, and who comes late looks first.
// flags: --timers latency --property library:TimerUsedAfterClear

const watchdog = setTimeout(() => {}, 200)
let over = false
setTimeout(() => over || watchdog.refresh(), 5)
setTimeout(() => {
  over = true
  clearTimeout(watchdog)
}, 40) // ok
