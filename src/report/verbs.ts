/** The verb for an event, as a sentence uses it. Also part of the HTML report, so it uses nothing of Node. */

/** Words that every kind of program has. A front end brings its own along, in its vocabulary. */
const VERBS: Readonly<Record<string, string>> = {
  read: 'reads',
  write: 'writes',
  load: 'loads',
  store: 'stores',
  update: 'updates',
  lock: 'takes',
  unlock: 'unlocks',
  request: 'asks for',
  wait: 'waits for',
  woken: 'is woken by',
  'timed out': 'times out on',
  begin: 'begins',
  end: 'ends',
  fork: 'starts',
  join: 'sees the end of',
  call: 'calls',
  return: 'returns from',
  answer: 'hears from',
  enter: 'enters',
  exit: 'leaves',
  post: 'posts',
  callback: 'runs the callback of',
  send: 'sends',
  wake: 'wakes',
  throw: 'throws',
  alloc: 'allocates',
  free: 'frees',
  use: 'uses',
}

/** `own`: what the front end says of it. */
export const doing = (word: string, own?: string): string => own ?? (Object.hasOwn(VERBS, word) ? VERBS[word]! : word)
