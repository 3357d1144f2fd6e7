// A client is lent, given back and lent again. The first borrower may be so slow that it gives back what is no longer its own.
// flags: --timers latency --max-findings 1

class Client {
  free = true
  lend() {
    this.free = false
  }
  release() {
    if (this.free) throw new Error('Release called on client which has already been released to the pool.')
    this.free = true
  }
}

const client = new Client()
const giveBack = () => {
  try {
    client.release() // expect ClientReleasedTwice
  } catch (error) {
    console.error(error.message)
  }
}
client.lend()
setTimeout(giveBack, 5)
setTimeout(() => {
  client.lend() // the pool takes back what was lent for too long
  setTimeout(giveBack, 10)
}, 60)
