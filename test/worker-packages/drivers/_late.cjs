/** The worker of synckit-late.cjs. */
const { runAsWorker } = require(process.env.SYNCKIT)

runAsWorker(async (word) => {
  await new Promise((resolve) => setTimeout(resolve, 10))
  return word
})
