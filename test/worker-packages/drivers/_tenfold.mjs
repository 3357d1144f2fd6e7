/** The worker of synckit.mjs. */
import { runAsWorker } from 'synckit'

runAsWorker(async (n) => {
  await new Promise((resolve) => setTimeout(resolve, 5))
  return n * 10
})
