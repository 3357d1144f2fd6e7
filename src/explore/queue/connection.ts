/** A connection to a NATS server: opened once, kept over restarts of the server. Wrong settings are reported as errors with a remedy. */
import { readFileSync } from 'node:fs'
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream'
import type { Kvm } from '@nats-io/kv'
import type { Objm } from '@nats-io/obj'
import type { NatsConnection } from '@nats-io/transport-node'
import { HeddleError } from '../../errors.ts'
import {
  badCredentials,
  badQueueAddress,
  clientsMissing,
  noJetStream,
  noPermission,
  noQueueServer,
  oldServer,
  queueRefuses,
  serverLost,
} from './errors.ts'

const LEAST_VERSION = [2, 9] as const
/** A busy machine takes its time. */
const ANSWER_MS = 15_000
/** How long one tries again while the server does not answer. */
const PATIENCE_MS = 120_000

export class Connection {
  private constructor(
    readonly url: string,
    readonly nc: NatsConnection,
    readonly js: JetStreamClient,
    readonly jsm: JetStreamManager,
    readonly kvm: Kvm,
    readonly objm: Objm,
  ) {}

  /** `creds`: a file as NATS has them. */
  static async open(url: string, creds?: string, name = 'heddle'): Promise<Connection> {
    const { shown, servers, user, pass, token, tls } = addressOf(url)
    const { transport, jetstream, kv, obj } = await clients()
    const authenticator = creds === undefined ? undefined : transport.credsAuthenticator(credentialsIn(creds))
    let nc: NatsConnection
    try {
      nc = await transport.connect({
        servers,
        name,
        timeout: ANSWER_MS,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 500,
        pingInterval: 10_000,
        maxPingOut: 2,
        ...(authenticator ? { authenticator } : {}),
        ...(user === undefined ? {} : { user, pass: pass ?? '' }),
        ...(token === undefined ? {} : { token }),
        ...(tls ? { tls: {} } : {}),
      })
    } catch (error) {
      throw connectError(shown, error)
    }
    const { version = '' } = nc.info ?? {}
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const isOld = major < LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor < LEAST_VERSION[1])
    if (isOld || nc.info?.jetstream !== true) {
      await nc.close()
      throw isOld ? oldServer(shown, version, LEAST_VERSION.join('.')) : noJetStream(shown)
    }
    try {
      const jsm = await twice(() => jetstream.jetstreamManager(nc, { timeout: ANSWER_MS }))
      const js = jsm.jetstream()
      return new Connection(shown, nc, js, jsm, new kv.Kvm(js), new obj.Objm(js))
    } catch (error) {
      await nc.close()
      throw useError(shown, error)
    }
  }

  get isClosed(): boolean {
    return this.nc.isClosed()
  }

  /** The first use: what does not fit is said. */
  async asking<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await this.again(action)
    } catch (error) {
      throw useError(this.url, error)
    }
  }

  /** What may be done twice is tried until the server is back, or was away for too long. */
  async again<T>(action: () => Promise<T>): Promise<T> {
    const until = performance.now() + PATIENCE_MS
    for (let wait = 100; ; wait = Math.min(2000, wait * 2)) {
      try {
        return await action()
      } catch (error) {
        if (this.nc.isClosed() || !isPassing(error)) throw error
        if (performance.now() > until) throw serverLost(this.url, PATIENCE_MS / 1000, firstLine((error as Error).message))
        await this.pause(wait)
      }
    }
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms))
  }

  async flush(): Promise<void> {
    await this.nc.flush().catch(() => undefined)
  }

  async close(): Promise<void> {
    await this.nc.close()
  }
}

/** An answer that did not come in time may come the next time. */
async function twice<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if ((error as Error).name !== 'TimeoutError') throw error
    return action()
  }
}

/** The server is away, or is starting. */
const isPassing = (error: unknown): boolean => {
  if (error instanceof HeddleError) return false
  const { name = '', message = '', code } = error as { name?: string; message?: string; code?: unknown }
  return (
    /Timeout|NoResponders|Disconnect|Connection(?!Closed)|Request/i.test(name) ||
    code === 503 ||
    code === 10_008 ||
    /timeout|no responders|503|disconnect|not available/i.test(message)
  )
}

interface Address {
  /** Without secrets. */
  readonly shown: string
  readonly servers: string
  readonly user?: string
  readonly pass?: string
  readonly token?: string
  readonly tls: boolean
}

function addressOf(url: string): Address {
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    throw badQueueAddress(url)
  }
  const { protocol, hostname, port, username, password } = parsed
  if ((protocol !== 'nats:' && protocol !== 'tls:') || hostname === '') throw badQueueAddress(url)
  const host = `${hostname}:${port === '' ? '4222' : port}`
  const user = decodeURIComponent(username)
  return {
    shown: `${protocol}//${host}`,
    servers: host,
    tls: protocol === 'tls:',
    ...(user === '' ? {} : password === '' ? { token: user } : { user, pass: decodeURIComponent(password) }),
  }
}

function credentialsIn(path: string): Uint8Array {
  try {
    const text = readFileSync(path)
    if (!text.includes('-----BEGIN NATS USER JWT-----')) throw new Error('it has no NATS USER JWT')
    return text
  } catch (error) {
    throw badCredentials(path, (error as NodeJS.ErrnoException).code ?? (error as Error).message)
  }
}

const CERTIFICATE = /certificate|self.signed|issuer/i
const AUTH = /authorization|authentication|credential|nkey|jwt/i

function connectError(url: string, error: unknown): HeddleError {
  if (error instanceof HeddleError) return error
  const { message = '', name = '', cause } = error as Error
  if (AUTH.test(`${name} ${message}`)) return queueRefuses(url, firstLine(message))
  const why = firstLine(cause instanceof Error && cause.message !== '' ? cause.message : message === '' ? name : message)
  return noQueueServer(url, CERTIFICATE.test(why) ? `${why} (a CA of your own goes into NODE_EXTRA_CA_CERTS)` : why)
}

function useError(url: string, error: unknown): Error {
  if (error instanceof HeddleError) return error
  const { message = '', name = '' } = error as Error
  if (/permission/i.test(`${name} ${message}`)) return noPermission(url, firstLine(message))
  if (/jetstream not enabled|JetStreamNotEnabled|no responders/i.test(`${name} ${message}`)) return noJetStream(url)
  return noQueueServer(url, firstLine(message === '' ? name : message))
}

const firstLine = (text: string): string => text.split('\n')[0]!.slice(0, 200)

async function clients() {
  try {
    const [transport, jetstream, kv, obj] = await Promise.all([
      import('@nats-io/transport-node'),
      import('@nats-io/jetstream'),
      import('@nats-io/kv'),
      import('@nats-io/obj'),
    ])
    return { transport, jetstream, kv, obj }
  } catch (error) {
    throw clientsMissing(firstLine((error as Error).message))
  }
}
