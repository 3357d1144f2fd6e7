/** Two calls of an asynchronous function for which the main thread sleeps. */
import makeSynchronous from 'make-synchronous'

const double = makeSynchronous(async (n) => {
  await new Promise((resolve) => setTimeout(resolve, 5))
  return n * 2
})
console.log(double(3), double(4))
