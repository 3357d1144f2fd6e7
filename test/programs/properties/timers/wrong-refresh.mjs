// A watchdog that was called off is set going again by an answer that comes late.
// flags: --timers latency --property library:TimerUsedAfterClear --max-findings 1 --confirm 1

const watchdog = setTimeout(() => {}, 200)
setTimeout(() => watchdog.refresh(), 5) // expect TimerUsedAfterClear
setTimeout(() => clearTimeout(watchdog), 40)
