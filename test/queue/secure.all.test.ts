/** Certificates and credentials: a small CA of openssl, and an operator, an account and a user as `nsc` makes them. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccount, createOperator, createUser, type KeyPair } from '@nats-io/nkeys'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { hashOf } from '../../src/explore/queue/item.ts'
import { tickets, toldIn } from './projects.ts'
import { cannot, Nats, Yard } from './server.ts'

const folder = mkdtempSync(join(tmpdir(), 'heddle-secure-'))
const at = (name: string): string => join(folder, name)
let yard = new Yard()
afterEach(async () => {
  await yard.end()
  yard = new Yard()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const worker = (url: string, ...more: string[]) => ['worker', '--queue', url, '--allow', 'node *.js', '--idle', '1', ...more]

/** A CA, and a certificate for 127.0.0.1 by it. */
function certificates(name: string): void {
  const run = (...words: string[]): unknown => execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' })
  run(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    `${name}-ca.key`,
    '-out',
    `${name}-ca.pem`,
    '-subj',
    `/CN=${name}`,
    '-days',
    '2',
  )
  run('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', '/CN=localhost')
  writeFileSync(at(`${name}.ext`), 'subjectAltName=IP:127.0.0.1,DNS:localhost')
  const by = ['-CA', `${name}-ca.pem`, '-CAkey', `${name}-ca.key`, '-CAcreateserial']
  run('x509', '-req', '-in', `${name}.csr`, ...by, '-out', `${name}.pem`, '-days', '2', '-extfile', `${name}.ext`)
}

/** As the JWTs of NATS are signed. */
function token(by: KeyPair, of: KeyPair, name: string, nats: object): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const body = { jti: hashOf(name), iat: Math.floor(Date.now() / 1000), iss: by.getPublicKey(), name, sub: of.getPublicKey(), nats }
  const text = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(body)}`
  return `${text}.${Buffer.from(by.sign(Buffer.from(text))).toString('base64url')}`
}

describe.skipIf(cannot !== '')(`TLS and credentials ${cannot}`, () => {
  test('a certificate of a known CA is taken, another one refused with a sentence', async () => {
    certificates('one')
    certificates('other')
    const nats = await Nats.start(['-js', '--tls', '--tlscert', at('one.pem'), '--tlskey', at('one.key')])
    const project = tickets()
    try {
      const url = nats.url.replace('nats:', 'tls:')
      const trusting = { NODE_EXTRA_CA_CERTS: at('one-ca.pem') }
      for (const env of [{}, { NODE_EXTRA_CA_CERTS: at('other-ca.pem') }]) {
        const { code, err } = await yard.start(project.here, worker(url), [], env).ended
        expect(code).toBe(2)
        expect(err).toMatch(/^heddle: No NATS server answers at tls:\/\/127\.0\.0\.1:\d+: .*certificate.*NODE_EXTRA_CA_CERTS.*\n$/)
      }
      // A server that wants TLS says so: the address need not.
      yard.start(project.copy(), ['worker', '--queue', nats.url, '--allow', 'node *.js'], [], trusting)
      const { code, out, err } = await yard.start(
        project.here,
        ['check', '--json', '--queue', url, '--', 'node', 'tickets.js'],
        [],
        trusting,
      ).ended
      expect(code, err).toBe(1)
      expect(toldIn(code, out).findings).toHaveLength(1)
    } finally {
      await yard.end()
      await nats.end()
      project.end()
    }
  })

  test('TLS is asked for, and the server has none', async () => {
    const nats = await Nats.start()
    const { code, err } = await yard.start(folder, worker(nats.url.replace('nats:', 'tls:'))).ended
    await nats.end()
    expect(code).toBe(2)
    expect(err).toMatch(/^heddle: No NATS server answers at tls:\/\/127\.0\.0\.1:\d+: .+\. Start one with/)
  })

  test('credentials of the operator are taken, those of another one refused', async () => {
    const [operator, account, system, user, stranger] = [createOperator(), createAccount(), createAccount(), createUser(), createAccount()]
    const limits = {
      subs: -1,
      data: -1,
      payload: -1,
      imports: -1,
      exports: -1,
      wildcards: true,
      conn: -1,
      leaf: -1,
      mem_storage: -1,
      disk_storage: -1,
    }
    const accountToken = token(operator, account, 'team', { type: 'account', version: 2, limits })
    const systemToken = token(operator, system, 'SYS', {
      type: 'account',
      version: 2,
      limits: { ...limits, mem_storage: 0, disk_storage: 0 },
    })
    const config = [
      `operator: ${token(operator, operator, 'op', { type: 'operator', version: 2 })}`,
      'resolver: MEMORY',
      `system_account: ${system.getPublicKey()}`,
      `resolver_preload: { ${account.getPublicKey()}: ${accountToken}, ${system.getPublicKey()}: ${systemToken} }`,
    ]
    writeFileSync(at('nats.conf'), config.join('\n'))
    const credentials = (name: string, by: KeyPair): string => {
      const jwt = token(by, user, 'worker', { type: 'user', version: 2, subs: -1, data: -1, payload: -1 })
      const seed = Buffer.from(user.getSeed()).toString()
      const text = `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`
      writeFileSync(at(name), text)
      return at(name)
    }
    const nats = await Nats.start(['-js', '-c', at('nats.conf')])
    try {
      const good = await yard.start(folder, worker(nats.url, '--queue-creds', credentials('good.creds', account))).ended
      expect(good).toMatchObject({ code: 0, err: '' })
      for (const more of [['--queue-creds', credentials('bad.creds', stranger)], []]) {
        const { code, err } = await yard.start(folder, worker(nats.url, ...more)).ended
        expect(code).toBe(2)
        expect(err).toMatch(/^heddle: The NATS server at .* refuses this user: .*\. Give credentials with --queue-creds FILE/)
      }
    } finally {
      await nats.end()
    }
  })
})
