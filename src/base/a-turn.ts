/**
 * Lets pending signals arrive: between two rounds of setImmediate the loop polls once, and polling is where it reads them. One round ends before that, and
 * a timer that is due after long work runs before it. A signal that was not read when the last handler is removed is lost.
 */
export const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
