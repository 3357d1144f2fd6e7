/** What an event does, as a sentence has it. Also part of the HTML report: nothing of Node here. */

const VERBS: Readonly<Record<string, string>> = {
  read: 'reads',
  write: 'writes',
  load: 'loads',
  store: 'stores',
  update: 'updates',
  lock: 'takes',
  unlock: 'frees',
  wait: 'waits for',
  woken: 'is woken by',
  notify: 'notifies',
  post: 'posts',
  receive: 'gets',
  fork: 'starts',
  join: 'sees the end of',
  call: 'calls',
  return: 'returns from',
  answer: 'hears from',
  enter: 'enters',
  exit: 'leaves',
  request: 'asks for',
  alloc: 'makes',
  free: 'frees',
}
export const doing = (access: string): string => VERBS[access] ?? access
