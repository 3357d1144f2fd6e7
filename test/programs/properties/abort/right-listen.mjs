// The same, with a look at `aborted` first.
// flags: --timers latency

const controller = new AbortController()
setTimeout(async () => {
  const giveUp = setTimeout(() => {
    throw new Error('never aborted')
  }, 1000)
  if (!controller.signal.aborted) await new Promise((resolve) => controller.signal.addEventListener('abort', resolve))
  clearTimeout(giveUp)
}, 5)
setTimeout(() => controller.abort(), 60) // ok
