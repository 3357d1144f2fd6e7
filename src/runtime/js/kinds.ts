/** The kinds of operations, and the kind of each of the engine's resources. */

/**
 * Kinds of posted operations. The event-loop rules are by kind (docs/event-loop.md).
 *   timer, immediate, close      the loop's own queues
 *   fs, dns, crypto, zlib        the thread pool
 *   connect, write               requests to the kernel
 *   socket, server, child, signal, watch, message   handles: one post, any number of dispatches, in order
 *   request                      a call of a client whose declaration is in library/: a statement, a command, a connection
 *   http, reply                  a request by HTTP, and the answer that a server of the program gives: called back in a turn of the connection
 *   job                          what the program puts into a queue: called back in the turn that brings it to a worker of the program
 *   client                       what a client tells by itself (a message of a channel, the end of its connection): a handle
 *   stub                         `--timers latency`: an async function called across the border between the program and a package
 */
export type Kind =
  | 'timer'
  | 'immediate'
  | 'close'
  | 'fs'
  | 'dns'
  | 'crypto'
  | 'zlib'
  | 'connect'
  | 'write'
  | 'socket'
  | 'server'
  | 'child'
  | 'signal'
  | 'watch'
  | 'message'
  | 'request'
  | 'http'
  | 'reply'
  | 'job'
  | 'client'
  | 'stub'

/** What async_hooks calls them. Types that are not here go on in the context that made them. */
export const KINDS: Readonly<Record<string, Kind>> = {
  Timeout: 'timer',
  Immediate: 'immediate',
  FSREQCALLBACK: 'fs',
  FSREQPROMISE: 'fs',
  FILEHANDLECLOSEREQ: 'fs',
  DIRHANDLE: 'fs',
  GETADDRINFOREQWRAP: 'dns',
  GETNAMEINFOREQWRAP: 'dns',
  QUERYWRAP: 'dns',
  RANDOMBYTESREQUEST: 'crypto',
  PBKDF2REQUEST: 'crypto',
  SCRYPTREQUEST: 'crypto',
  HASHREQUEST: 'crypto',
  KEYPAIRGENREQUEST: 'crypto',
  KEYGENREQUEST: 'crypto',
  SIGNREQUEST: 'crypto',
  VERIFYREQUEST: 'crypto',
  CIPHERREQUEST: 'crypto',
  DERIVEBITSREQUEST: 'crypto',
  ZLIB: 'zlib',
  TCPCONNECTWRAP: 'connect',
  PIPECONNECTWRAP: 'connect',
  WRITEWRAP: 'write',
  SHUTDOWNWRAP: 'write',
  UDPSENDWRAP: 'write',
  TCPWRAP: 'socket',
  PIPEWRAP: 'socket',
  TTYWRAP: 'socket',
  UDPWRAP: 'socket',
  TLSWRAP: 'socket',
  HTTPINCOMINGMESSAGE: 'socket',
  HTTPCLIENTREQUEST: 'socket',
  HTTP2SESSION: 'socket',
  HTTP2STREAM: 'socket',
  TCPSERVERWRAP: 'server',
  PIPESERVERWRAP: 'server',
  PROCESSWRAP: 'child',
  SIGNALWRAP: 'signal',
  FSEVENTWRAP: 'watch',
  STATWATCHER: 'watch',
  MESSAGEPORT: 'message',
  WORKER: 'message',
}

/** Streams that an http server would leave to the engine. `_consumed` tells it that somebody did so before: then the data comes as events. */
export const CONSUMED: ReadonlySet<string> = new Set(['TCPWRAP', 'PIPEWRAP', 'TLSWRAP'])

/** They take a connection over in the engine, frame by frame: each call back is a turn, and none can be held. */
export const FRAMED: ReadonlySet<string> = new Set(['HTTP2SESSION', 'HTTP2STREAM'])
