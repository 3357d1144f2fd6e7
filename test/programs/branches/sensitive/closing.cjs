/** A store that is closed while a save is under way: the save fails. Callbacks, timers that stand for answers from elsewhere. */
// flags: --timers latency
const store = { open: true, saved: 0 }

function save(done) {
  setTimeout(() => {
    if (!store.open) return done(new Error('the store is closed')) // sensitive: harmful
    store.saved++
    done()
  }, 10)
}

function close() {
  setTimeout(() => {
    store.open = false
  }, 30)
}

save((error) => {
  if (error) throw error
  console.log('saved')
})
close()
