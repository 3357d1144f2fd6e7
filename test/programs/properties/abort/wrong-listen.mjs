// Who begins to listen after the abort waits for ever.
// flags: --timers latency --max-findings 1 --confirm 1

const controller = new AbortController()
setTimeout(async () => {
  const giveUp = setTimeout(() => {
    throw new Error('never aborted')
  }, 1000)
  await new Promise((resolve) => controller.signal.addEventListener('abort', resolve)) // expect ListenAfterAbort
  clearTimeout(giveUp)
}, 5)
setTimeout(() => controller.abort(), 60)
