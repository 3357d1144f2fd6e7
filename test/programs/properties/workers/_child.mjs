// Waits for messages until its parent lets go.
process.on('message', () => {})
