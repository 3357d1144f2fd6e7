/** The errors of a queue on a server, one function each. */
import { HeddleError, quote } from '../../errors.ts'

export const badQueueAddress = (url: string): HeddleError =>
  new HeddleError('bad-queue-address', `${quote(url)} is no address of a queue`, 'Give one like nats://host:4222, or tls://host:4222')

export const noQueueServer = (url: string, why: string): HeddleError =>
  new HeddleError('no-queue-server', `No NATS server answers at ${url}: ${why}`, 'Start one with `nats-server -js`, or correct the address')

export const SERVER_LOST = 'queue-server-lost'

export const serverLost = (url: string, seconds: number, why: string): HeddleError =>
  new HeddleError(
    SERVER_LOST,
    `The NATS server at ${url} has not answered for ${seconds} s: ${why}`,
    'When it is back, --resume goes on with what it has',
  )

export const queueRefuses = (url: string, why: string): HeddleError =>
  new HeddleError(
    'queue-refuses',
    `The NATS server at ${url} refuses this user: ${why}`,
    'Give credentials with --queue-creds FILE, or in the address',
  )

export const noPermission = (url: string, why: string): HeddleError =>
  new HeddleError(
    'no-queue-permission',
    `This user may not use JetStream on ${url}: ${why}`,
    'Allow it to publish and subscribe to heddle.>, $JS.API.>, $JS.ACK.>, $KV.>, $O.> and _INBOX.> (docs/scale.md)',
  )

export const noJetStream = (url: string): HeddleError =>
  new HeddleError(
    'no-jetstream',
    `The NATS server at ${url} has no JetStream`,
    'Start it with `nats-server -js`, or enable it for this account',
  )

export const oldServer = (url: string, version: string, least: string): HeddleError =>
  new HeddleError('old-nats-server', `The NATS server at ${url} is version ${quote(version)}`, `Version ${least} or newer is needed`)

export const noSuchRun = (run: string): HeddleError =>
  new HeddleError(
    'no-such-run',
    `The queue knows no run ${quote(run)}`,
    'It has ended, or was never there: see what `heddle check --queue` said when it was interrupted',
  )

export const runOver = (run: string): HeddleError =>
  new HeddleError('run-over', `Run ${quote(run)} is not on the queue any more`, 'It was ended elsewhere, or removed: start it again')

export const badRun = (run: string, why: string): HeddleError =>
  new HeddleError('bad-run', `What the queue has of run ${quote(run)} cannot be used: ${why}`, 'Start it anew')

export const badCredentials = (path: string, why: string): HeddleError =>
  new HeddleError(
    'bad-credentials',
    `The credentials ${quote(path)} cannot be used: ${why}`,
    'Give a file that `nsc` or your NATS operator made',
  )

export const clientsMissing = (why: string): HeddleError =>
  new HeddleError('no-nats-client', `The NATS client cannot be loaded: ${why}`, 'Run `npm install` in the folder of Heddle')
