/**
 * The commands of Redis 7 by what they do to which of their arguments, as COMMAND describes them (key specifications). Groups of a letter and
 * positions: r reads, w writes, u reads and writes in one step; `1` the first argument, `2..` from the second on, `1..-1` all but the last, `1../2`
 * every other one, `#1` a number of keys, followed by the keys, `s` after STREAMS. Brackets name fields of a hash or members of a set: `r1[2]` reads
 * one of them.
 */

const TABLE = `
r1: bitcount bitfield_ro bitpos dump expiretime get getbit getrange geodist geohash geopos georadius_ro georadiusbymember_ro geosearch hgetall hkeys hlen hrandfield
    hscan hvals lindex llen lpos lrange pexpiretime pttl scard smembers srandmember sscan strlen substr ttl type xlen xrange xrevrange zcard zcount zlexcount
    zrandmember zrange zrangebylex zrangebyscore zrevrange zrevrangebylex zrevrangebyscore zscan
r1..: exists mget pfcount sdiff sinter sunion touch
r1..2: lcs
u1: append bitfield decr decrby expire expireat getdel getex getset incr incrby incrbyfloat linsert lpop lpush lpushx lrem lset ltrim move persist pexpire pexpireat pfadd
    rpop rpush rpushx setbit setrange spop xadd xdel xsetid xtrim zpopmax zpopmin zremrangebylex zremrangebyrank zremrangebyscore setnx
w1: setex psetex restore restore-asking
w1..: del unlink
w1../2: mset
u1../2: msetnx
u1..-1: blpop brpop bzpopmax bzpopmin
u1u2: blmove brpoplpush lmove rpoplpush renamenx
u1[3]u2[3]: smove
u1w2: rename
r1w2: copy
w1r2: geosearchstore zrangestore
w1r2..: sdiffstore sinterstore sunionstore
u1r2..: pfmerge
w2r3..: bitop
r#1: sintercard zdiff zinter zintercard zunion
u#1: lmpop zmpop
u#2: blmpop bzmpop eval evalsha fcall
r#2: eval_ro evalsha_ro fcall_ro
w1r#2: zdiffstore zinterstore zunionstore
r2: object memory xinfo
u2: xgroup pfdebug
rs: xread
us: xreadgroup
r1[2]: hexists hget hstrlen sismember zrank zrevrank zscore
r1[2..]: hmget smismember zmscore
w1[2../2]: hset hmset
u1[2]: hsetnx hincrby hincrbyfloat
u1[2..]: hdel sadd srem zrem
u1[3]: zincrby
`

export interface KeySpec {
  readonly access: 'read' | 'write' | 'update'
  readonly places: Places
  readonly parts?: Places
}

export interface Places {
  readonly kind: 'at' | 'counted' | 'streams'
  readonly first: number
  /** Counted from the end where it is negative. */
  readonly last: number
  readonly step: number
}

const SPEC = /([rwu])(#\d|s|\d(?:\.\.(?:-?\d)?)?(?:\/\d)?)(?:\[([^\]]*)\])?/g
const ACCESS = { r: 'read', w: 'write', u: 'update' } as const

function placesOf(text: string): Places {
  if (text === 's') return { kind: 'streams', first: 0, last: 0, step: 1 }
  if (text.startsWith('#')) return { kind: 'counted', first: Number(text[1]), last: 0, step: 1 }
  const [, first, range, last, step] = /^(\d)(\.\.(-?\d)?)?(?:\/(\d))?$/.exec(text)!
  // -1 is the last argument; `..-1` leaves it out.
  const end = last === undefined ? (range ? -1 : Number(first)) : Number(last) < 0 ? Number(last) - 1 : Number(last)
  return { kind: 'at', first: Number(first), last: end, step: Number(step ?? 1) }
}

export const KEY_SPECS: ReadonlyMap<string, readonly KeySpec[]> = new Map(
  TABLE.trim()
    .replace(/\n\s+/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [form, names] = line.split(': ')
      const specs = [...form!.matchAll(SPEC)].map(([, access, places, parts]) => ({
        access: ACCESS[access as 'r' | 'w' | 'u'],
        places: placesOf(places!),
        ...(parts === undefined ? {} : { parts: placesOf(parts) }),
      }))
      return names!.split(' ').map((name) => [name, specs] as const)
    }),
)

/** Of the connection or the server: no key is touched. */
export const WITHOUT_KEYS: ReadonlySet<string> = new Set(
  (
    'acl asking auth bgrewriteaof bgsave client cluster command config debug echo failover function hello info lastsave latency lolwut module monitor ping psync pubsub quit readonly readwrite ' +
    'replconf replicaof reset role save script select shutdown slaveof slowlog sync time wait waitaof pfselftest unwatch punsubscribe sunsubscribe unsubscribe'
  ).split(' '),
)

/** They look at which keys there are. */
export const ALL_KEYS_READ: ReadonlySet<string> = new Set(['keys', 'scan', 'dbsize', 'randomkey'])
export const ALL_KEYS_WRITTEN: ReadonlySet<string> = new Set(['flushdb', 'flushall', 'swapdb'])
