/** Watch lists as long as that of a large library of properties. */
import type { Watch } from '../../src/property/watch.ts'

const NAMES =
  'end write destroy close query release on once off removeListener get set has delete add clear open read connect acquire lock unlock lease ' +
  'commit rollback begin execute send abort listen pause resume pipe push shift next return then json text setHeader writeHead flush terminate ' +
  'postMessage readFile writeFile stat mkdir unlink rename run fetch put del batch iterator quit disconnect kill exec spawn call apply'

const all = { when: ['before', 'after', 'answered'], args: 2 } as const

/** Everything is asked for. */
export const LIBRARY: readonly Watch[] = [
  ...NAMES.split(' ').map((name): Watch => ({ kind: 'call', owner: '*', name, ...all })),
  ...['fs', 'fs/promises', 'timers', 'http', 'net'].map((owner): Watch => ({ kind: 'call', owner, name: '*', ...all })),
  ...'EventEmitter Stream Readable Writable Duplex Socket Server ServerResponse ClientRequest OutgoingMessage IncomingMessage Agent Worker MessagePort AbortController'
    .split(' ')
    .flatMap((owner): Watch[] =>
      'end write destroy close connect setHeader writeHead abort terminate postMessage on removeListener'
        .split(' ')
        .map((name) => ({ kind: 'call', owner, subclasses: true, name, ...all })),
    ),
  {
    kind: 'call',
    owner: 'EventEmitter',
    subclasses: true,
    name: 'emit',
    when: ['before'],
    args: 1,
    first: ['close', 'error', 'end', 'finish'],
  },
  { kind: 'call', name: 'get*', ...all },
  { kind: 'execution', name: '*', when: ['before', 'after'], args: 0 },
]

const HANDLES = 'end write destroy close connect query release send abort terminate postMessage'.split(' ')
const COLLECTIONS = 'get set has delete add clear'.split(' ')

/** What properties that ship ask for: begin and arguments of operations on handles, pools and collections, answers where they matter. */
export const USUAL: readonly Watch[] = [
  ...NAMES.split(' ')
    .filter((name) => !COLLECTIONS.includes(name) && !/^(push|shift|next|return|then|call|apply|on|once|off)$/.test(name))
    .map((name): Watch => ({ kind: 'call', owner: '*', name, when: ['before'], args: 1 })),
  ...HANDLES.flatMap((name) =>
    ['Writable', 'Socket', 'ServerResponse', 'ClientRequest', 'Worker', 'MessagePort'].map((owner): Watch => ({
      kind: 'call',
      owner,
      subclasses: true,
      name,
      when: ['before', 'answered'],
      args: 1,
    })),
  ),
  ...COLLECTIONS.map((name): Watch => ({ kind: 'call', owner: 'Map', name, when: ['before', 'after'], args: 1 })),
  { kind: 'call', owner: 'fs', name: '*', when: ['before', 'answered'], args: 1 },
  { kind: 'call', owner: 'timers', name: 'clear*', when: ['before'], args: 1 },
  {
    kind: 'call',
    owner: 'EventEmitter',
    subclasses: true,
    name: 'emit',
    when: ['before'],
    args: 1,
    first: ['close', 'error', 'end', 'finish'],
  },
]
