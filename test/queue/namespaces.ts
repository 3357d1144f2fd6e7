/** Network namespaces with addresses of their own, joined by a bridge: machines as far as the network goes. Needs root and iproute2. */
import { spawnSync } from 'node:child_process'

const ip = (...words: string[]): boolean => spawnSync('ip', words, { stdio: 'ignore' }).status === 0

const NET = `10.${100 + (process.pid % 100)}.${(process.pid >> 8) % 250}`
const BRIDGE = `hq${process.pid % 100_000}`

export interface Machine {
  readonly address: string
  /** In front of a command. */
  readonly through: readonly string[]
  /** As if somebody pulled the cable. */
  cut(): void
  join(): void
}

export class Network {
  /** Of this side of the bridge. */
  readonly address = `${NET}.1`
  private readonly names: string[] = []

  private constructor() {}

  /** Why not, if it cannot be done here. */
  static readonly cannot = ((): string => {
    const name = `hqtry${process.pid}`
    const can = process.getuid?.() === 0 && ip('netns', 'add', name)
    if (can) ip('netns', 'delete', name)
    return can ? '' : '(no network namespaces here)'
  })()

  static make(): Network {
    const network = new Network()
    const all = [
      ip('link', 'add', BRIDGE, 'type', 'bridge'),
      ip('address', 'add', `${network.address}/24`, 'dev', BRIDGE),
      ip('link', 'set', BRIDGE, 'up'),
    ]
    if (all.includes(false)) throw new Error('the bridge could not be made')
    return network
  }

  machine(): Machine {
    const nth = this.names.length + 2
    const name = `${BRIDGE}n${nth}`
    const [near, far] = [`hv${nth}x${process.pid % 10_000}`, `hw${nth}x${process.pid % 10_000}`]
    const inside = (...words: string[]): boolean => ip('netns', 'exec', name, 'ip', ...words)
    const all = [
      ip('netns', 'add', name),
      ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far),
      ip('link', 'set', far, 'netns', name),
      ip('link', 'set', near, 'master', BRIDGE),
      ip('link', 'set', near, 'up'),
      inside('address', 'add', `${NET}.${nth}/24`, 'dev', far),
      inside('link', 'set', far, 'up'),
      inside('link', 'set', 'lo', 'up'),
    ]
    this.names.push(name)
    if (all.includes(false)) throw new Error(`the namespace ${name} could not be made`)
    return {
      address: `${NET}.${nth}`,
      through: ['ip', 'netns', 'exec', name],
      cut: () => void ip('link', 'set', near, 'down'),
      join: () => void ip('link', 'set', near, 'up'),
    }
  }

  end(): void {
    for (const name of this.names) ip('netns', 'delete', name)
    ip('link', 'delete', BRIDGE)
  }
}
