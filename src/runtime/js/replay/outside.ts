/**
 * What could still happen besides timers, as far as Node shows it. Requests (a file, a DNS lookup, a hash on the thread pool) will end soon, and the
 * clock waits for them. Sockets inside this process are quiet after a moment of silence. What others take part in (child processes, workers, peers on
 * other hosts or in other processes, stdin) runs in real time.
 */
import type { Op } from '../core.ts'
import { hasPipesElsewhere } from '../resources/wires.ts'
import { hasPorts, portPosted } from './loading.ts'
import { runningOperations } from './operations.ts'
import { activeResources } from './real.ts'

export interface Outside {
  /** Something that will end by itself, soon. */
  readonly requests: boolean
  /** Open sockets, pipes, ports: something may be under way. */
  readonly streams: boolean
  /** Somebody outside this thread takes part. */
  readonly others: boolean
  /** Whether a person or a child may still do something, however long it takes. */
  readonly waitsForOthers: boolean
}

interface TcpHandle {
  readonly fd: number
  getsockname(out: Address): number
  getpeername(out: Address): number
}
interface Address {
  address?: string
  port?: number
}
interface Job {
  readonly ondone?: unknown
  readonly oncomplete?: unknown
  readonly buffer?: unknown
}

const STREAMS = new Set(['TCPSocketWrap', 'PipeWrap', 'TTYWrap', 'TLSWrap', 'HTTP2SESSION', 'Http2Session', 'Http2Stream'])
/** They end when the peer takes the bytes: no sooner than it reads. */
const STREAM_REQUESTS = new Set(['WriteWrap', 'LibuvWriteWrap', 'ShutdownWrap', 'LibuvShutdownWrap'])
const SILENT = new Set(['Timeout', 'Immediate', 'TCPServerWrap', 'PipeServerWrap', 'SignalWrap'])
const OTHERS = new Set(['UDPWrap', 'FSEventWrap', 'StatWatcher', 'Worker'])

const tcp = new Set<WeakRef<TcpHandle>>()
const jobs = new Map<Op, Job>()
const workers = new Set<Op>()

export function outsidePosted(op: Op, resource: object): void {
  switch (op.type) {
    case 'TCPWRAP':
    case 'TCPSERVERWRAP':
      // An agent that uses a socket again gets a new operation for the same handle.
      if ('getsockname' in resource) tcp.add(new WeakRef(resource as TcpHandle))
      break
    case 'MESSAGEPORT':
      portPosted()
      break
    case 'WORKER':
      workers.add(op)
      break
    default:
      if (op.kind === 'crypto' || op.kind === 'zlib' || op.type === 'QUERYWRAP') jobs.set(op, resource as Job)
  }
}

/** It has called back. */
export function outsideEnded(op: Op): void {
  if (op.kind === 'crypto' || op.type === 'QUERYWRAP') jobs.delete(op)
  else if (op.type === 'WORKER') workers.delete(op)
}

/** Jobs on the thread pool are in no list of Node's. Jobs that run synchronously have no callback, idle zlib streams no buffer. */
function jobsRun(): boolean {
  for (const [op, job] of jobs) {
    if (op.kind === 'zlib') {
      if (job.buffer !== null && job.buffer !== undefined) return true
    } else if (job.ondone === undefined && job.oncomplete === undefined) jobs.delete(op)
    else return true
  }
  return false
}

/** `unknown`: nobody can tell what is still under way, so streams have the real pace, too. */
export function lookOutside(unknown: boolean): Outside {
  let requests = runningOperations() > 0 || jobsRun()
  let streams = false
  let children = false
  let others = workers.size > 0
  for (const name of activeResources()) {
    if (SILENT.has(name)) continue
    if (STREAMS.has(name) || STREAM_REQUESTS.has(name)) streams = true
    // Else it is the loader's: see isLoading.
    else if (name === 'MessagePort' && hasPorts()) streams = true
    else if (name === 'ProcessWrap') children = true
    else if (OTHERS.has(name)) others = true
    else requests = true
  }
  const stdin = readsStdin()
  if (streams && (unknown || peersElsewhere() || hasPipesElsewhere())) others = true
  return { requests, streams, others: others || children || stdin, waitsForOthers: children || stdin || (others && !unknown) }
}

/** Is the other end of some connection not in this process? */
function peersElsewhere(): boolean {
  const own = new Set<number>()
  const peers: Address[] = []
  for (const ref of tcp) {
    const handle = ref.deref()
    if (handle === undefined || handle.fd < 0) {
      tcp.delete(ref)
      continue
    }
    const here: Address = {}
    if (handle.getsockname(here) !== 0) continue
    own.add(here.port!)
    const there: Address = {}
    if (handle.getpeername?.(there) === 0) peers.push(there)
  }
  return peers.some(({ address = '', port = 0 }) => !/^(127\.|::1$|::ffff:127\.)/.test(address) || !own.has(port))
}

let stdinBefore: (() => NodeJS.ReadStream) | undefined
let stdinUsed = false

/** Finds out whether the program reads stdin, without opening it. */
export function watchStdin(): void {
  const descriptor = Object.getOwnPropertyDescriptor(process, 'stdin')
  stdinBefore = descriptor?.get as typeof stdinBefore
  if (descriptor === undefined || stdinBefore === undefined) return
  Object.defineProperty(process, 'stdin', {
    ...descriptor,
    get() {
      stdinUsed = true
      return stdinBefore!.call(process)
    },
  })
}

function readsStdin(): boolean {
  if (!stdinUsed) return false
  const stdin = stdinBefore!.call(process) as NodeJS.ReadStream & { _handle?: { reading?: boolean; hasRef?(): boolean } | null }
  return !stdin.destroyed && !stdin.readableEnded && stdin._handle?.reading === true && stdin._handle.hasRef?.() !== false
}
