/**
 * The hooks of src/instrument/paths/hooks.ts in their plainest form: they carry out what they are asked for, and keep expressions as text. Properties
 * and variables have the tags they were written with; what was never written is an input, named by how it was reached.
 */
import type { MakePathHooks, PathHooks } from '../../../src/instrument/paths/hooks.ts'
import { decodeSites } from '../../../src/instrument/sites.ts'

export interface Reference {
  readonly make: MakePathHooks
  /** What was decided on: `if x > 1: true`. */
  readonly branches: string[]
  /** The text of a tag. */
  shown(tag: number | undefined): string
}

interface Call {
  readonly args: unknown[]
  readonly tags: readonly (number | undefined)[] | undefined
  result: number | undefined
}

interface Method {
  readonly base: unknown
  readonly callee: unknown
}

/** `input`: which texts stand for reads of properties that nobody wrote. All other reads of such properties are constant. */
export function referenceHooks(input: (key: string) => boolean = () => true): Reference {
  const texts: string[] = ['']
  const register = { t: 0 }
  const branches: string[] = []
  const tags = new WeakMap<object, Map<unknown, number>>()
  let pending: Call | undefined
  const scopes = new WeakMap<object, number[]>()

  const tag = (text: string): number => texts.push(text) - 1
  const check = (t: number | undefined): number => {
    if (t === undefined) return 0
    if (typeof t !== 'number' || texts[t] === undefined) throw new Error(`a tag is ${String(t)}`)
    return t
  }
  const shown = (t: number | undefined, value?: unknown): string => {
    if (check(t) !== 0) return texts[t!]!
    if (typeof value === 'function') return 'function'
    return typeof value === 'object' && value !== null
      ? Array.isArray(value)
        ? 'array'
        : 'object'
      : typeof value === 'string'
        ? JSON.stringify(value)
        : String(value)
  }
  const give = <V>(value: V, t: number | undefined): V => {
    register.t = check(t)
    return value
  }
  /** An expression over these; constant if they are. */
  const made = (text: string, ...operands: (number | undefined)[]): number => (operands.some((t) => check(t) !== 0) ? tag(text) : 0)
  const isObject = (value: unknown): value is object => (typeof value === 'object' && value !== null) || typeof value === 'function'
  const keyed = (base: unknown): Map<unknown, number> | undefined => {
    if (!isObject(base)) return undefined
    let map = tags.get(base)
    if (map === undefined) tags.set(base, (map = new Map()))
    return map
  }
  const read = (base: unknown, tb: number, key: unknown, tk: number): number => {
    if (typeof key === 'object' || typeof key === 'function' || typeof key === 'symbol') return 0
    const name = String(key)
    const known = keyed(base)?.get(name)
    if (known !== undefined) return known
    if (check(tb) === 0 && check(tk) === 0 && !input(name)) return 0
    if (check(tb) === 0 && check(tk) === 0 && !isObject(base)) return 0
    return tag(`${check(tb) === 0 ? '' : texts[tb]}.${check(tk) === 0 ? name : `[${texts[tk]}]`}`)
  }
  const write = (base: unknown, key: unknown, t: number): void => {
    if (typeof key === 'object' || typeof key === 'function') return
    keyed(base)?.set(typeof key === 'symbol' ? key : String(key), check(t))
  }
  const decide = (kind: string, text: string, outcome: unknown, t: number): void => {
    if (check(t) !== 0) branches.push(`${kind} ${text}: ${String(outcome)}`)
  }
  const invoke = (text: string, args: unknown[], list: (number | undefined)[] | undefined, run: () => unknown): unknown => {
    if (list !== undefined && list.length !== args.length) throw new Error(`${text} got ${list.length} tags for ${args.length} arguments`)
    for (const t of list ?? []) check(t)
    const call: Call = { args, tags: list, result: undefined }
    pending = call
    const result = run()
    const native = pending === call
    pending = undefined
    const name = text.slice(text.lastIndexOf('.') + 1)
    register.t = native
      ? made(`${name}(${args.map((value, i) => shown(list?.[i], value)).join(', ')})`, ...(list ?? []))
      : (call.result ?? 0)
    return result
  }
  const fail = (text: string, what: string): never => {
    throw new TypeError(`${text} is not a ${what}`)
  }
  const set = (base: unknown, key: unknown, value: unknown, strict: 0 | 1): void => {
    if (strict === 1) (base as Record<string, unknown>)[key as string] = value
    else sloppySet(base, key, value)
  }

  const make: MakePathHooks = (_file, encoded) => {
    const sites = decodeSites(encoded)
    const at = (site: number): void => {
      if (sites[site] === undefined) throw new Error(`there is no site ${String(site)}`)
    }
    const hooks: PathHooks = {
      T: register,
      p: (value) => value,
      c: (value, t) => give(value, t),
      O: (value) => give(value, tag('?')),
      B: (operator, a, ta, b, tb) => {
        const result = operate(operator, a, b)
        return give(result, made(`(${shown(ta, a)} ${operator} ${shown(tb, b)})`, ta, tb))
      },
      N: (operator, a, ta) => give(operateOne(operator, a), made(`${operator}${operator === 'typeof' ? ' ' : ''}${shown(ta, a)}`, ta)),
      I: (a, ta, add) => {
        const n = numericOnce(a)
        return give(typeof n === 'bigint' ? n + BigInt(add) : n + add, made(`(${shown(ta, a)} ${add > 0 ? '+ 1' : '- 1'})`, ta))
      },
      J: (a, ta) => give(numericOnce(a), ta),
      H: (strings, ...values) => {
        let text = strings[0]!
        let told = '`' + strings[0]!
        const list: number[] = []
        for (let i = 1; i < strings.length; i++) {
          text += `${values[2 * i - 2] as string}${strings[i]!}`
          told += `\${${shown(values[2 * i - 1] as number, values[2 * i - 2])}}${strings[i]!}`
          list.push(values[2 * i - 1] as number)
        }
        if (values.length !== 2 * (strings.length - 1)) throw new Error('H got a wrong number of arguments')
        return give(text, made(`${told}\``, ...list))
      },
      b: (site, kind, value, t) => {
        at(site)
        const outcome = kind === '??' || kind === '?.' ? value == null : kind === 'index' ? String(value) : Boolean(value)
        decide(kind, shown(t, value), outcome, t)
        return give(value, t)
      },
      S: (site, value, tv, c, tc) => {
        at(site)
        if (made('', tv, tc) !== 0) branches.push(`switch ${shown(tv, value)} === ${shown(tc, c)}: ${value === c}`)
        return value === c
      },
      G: (base, tb, key, tk, site) => {
        at(site)
        const value = (base as Record<string, unknown>)[key as string]
        return give(value, read(base, tb, key, tk))
      },
      P: (base, _tb, key, _tk, value, tv, site, strict) => {
        at(site)
        set(base, key, value, strict)
        write(base, key, tv)
        return give(value, tv)
      },
      U: (base, tb, key, tk, add, prefix, site, strict) => {
        at(site)
        const before = (base as Record<string, unknown>)[key as string]
        const tag1 = read(base, tb, key, tk)
        const old = numericOnce(before)
        const next = typeof old === 'bigint' ? old + BigInt(add) : old + add
        set(base, key, next, strict)
        const tag2 = made(`(${shown(tag1, before)} ${add > 0 ? '+ 1' : '- 1'})`, tag1)
        write(base, key, tag2)
        return prefix ? give(next, tag2) : give(old, tag1)
      },
      D: (base, _tb, key, _tk, site, strict) => {
        at(site)
        const result = strict ? delete (base as Record<string, unknown>)[key as string] : sloppyDelete(base, key)
        write(base, key, 0)
        return give(result, 0)
      },
      K: (key, tk, base, tb, site) => {
        at(site)
        const result = (key as string) in (base as object)
        return give(result, made(`(${shown(tk, key)} in ${shown(tb, base)})`, tk, tb))
      },
      Gp: (base, tb, key, site, value) => {
        at(site)
        return give(value, read(base, tb, key, 0))
      },
      Pp: (base, _tb, key, site, value, tv) => {
        at(site)
        write(base, key, tv)
        return give(value, tv)
      },
      C: (site, text, callee, _tc, args, list) => {
        at(site)
        if (typeof callee !== 'function') fail(text, 'function')
        return invoke(text, args, list, () => Reflect.apply(callee as () => unknown, undefined, args))
      },
      M: (site, text, base, _tb, key, _tk, args, list) => {
        at(site)
        const callee = (base as Record<string, unknown>)[key as string]
        if (typeof callee !== 'function') fail(text, 'function')
        return invoke(text, args, list, () => Reflect.apply(callee as () => unknown, base, args))
      },
      F: (base, _tb, key, _tk, site) => {
        at(site)
        return { base, callee: (base as Record<string, unknown>)[key as string] } satisfies Method
      },
      Fv: (base, _tb, callee) => ({ base, callee }) satisfies Method,
      Mf: (site, text, method, args, list) => {
        at(site)
        const { base, callee } = method as Method
        if (typeof callee !== 'function') fail(text, 'function')
        return invoke(text, args, list, () => Reflect.apply(callee as () => unknown, base, args))
      },
      W: (site, text, callee, _tc, args, list) => {
        at(site)
        if (!isConstructor(callee)) fail(text, 'constructor')
        return invoke(text, args, list, () => Reflect.construct(callee as () => unknown, args))
      },
      Q: (iterable, t, site) => (at(site), give(iterable, t)),
      Qo: (object, t, site) => (at(site), give(object, t)),
      E: (site) => {
        at(site)
        const call = pending
        pending = undefined
        return call
      },
      A: (frame, index, value) => {
        const call = frame as Call | undefined
        return call !== undefined && Object.is(call.args[index], value) ? check(call.tags?.[index]) : 0
      },
      Ap: (frame, index, key, value, site) => {
        at(site)
        const call = frame as Call | undefined
        const base = call?.args[index]
        return isObject(base) && Object.is((base as Record<string, unknown>)[key], value)
          ? read(base, check(call?.tags?.[index]), key, 0)
          : 0
      },
      R: (frame, value, t) => {
        check(t)
        if (frame !== undefined) (frame as Call).result = t
        return value
      },
      Z: (awaited, t, value) => give(value, Object.is(awaited, value) ? t : 0),
      X: (base, tb, key, value, site) => {
        at(site)
        const direct = base == null ? undefined : Object.getOwnPropertyDescriptor(Object(base), key)
        return direct !== undefined && Object.is(direct.value, value) ? read(base, tb, key, 0) : 0
      },
      Xi: (iterable, tq, index, value, site) => {
        at(site)
        return Array.isArray(iterable) && Object.is(iterable[index], value)
          ? read(iterable, tq, index, 0)
          : tq !== 0
            ? tag(`element(${shown(tq)})`)
            : tag('?')
      },
      L: (object, site, ...list) => {
        at(site)
        if (list.length % 2 !== 0) throw new Error('L got a key without a tag')
        for (let i = 0; i < list.length; i += 2) {
          const key = list[i]!
          if (key === '...') check(list[i + 1] as number)
          else
            write(object, typeof key === 'number' && key < 0 ? (object as unknown as unknown[]).length + key : key, list[i + 1] as number)
        }
        return object
      },
      s: (first, count) => {
        at(first + count - 1)
        const scope = {}
        scopes.set(scope, [])
        return scope
      },
      vr: (scope, index, site, value) => (at(site), give(value, scopes.get(scope)![index])),
      vw: (scope, index, site, value, t) => {
        at(site)
        scopes.get(scope)![index] = check(t)
        return give(value, t)
      },
      t: (base, site) => (at(site), base),
      a: (site) => (at(site), false),
      ar: (_waits, value) => value,
      l: (site) => Promise.resolve(at(site)),
      k: (base) => base,
      kf: (_name, callee) => callee,
      e: at,
      x: at,
    }
    return hooks
  }
  return { make, branches, shown }
}

const operations = new Map<string, (a: unknown, b: unknown) => unknown>()
function operate(operator: string, a: unknown, b: unknown): unknown {
  let f = operations.get(operator)
  // oxlint-disable-next-line typescript/no-implied-eval
  if (f === undefined) operations.set(operator, (f = new Function('a', 'b', `return a ${operator} b`) as never))
  return f!(a, b)
}
function operateOne(operator: string, a: unknown): unknown {
  let f = operations.get(`unary ${operator}`)
  // oxlint-disable-next-line typescript/no-implied-eval
  if (f === undefined) operations.set(`unary ${operator}`, (f = new Function('a', `return ${operator} a`) as never))
  return f!(a, undefined)
}
/** ToNumeric, once. */
// oxlint-disable-next-line typescript/no-implied-eval
const numericOnce = new Function('a', 'return a++') as (a: unknown) => number | bigint
// oxlint-disable-next-line typescript/no-implied-eval
const sloppySet = new Function('base', 'key', 'value', 'base[key] = value') as (base: unknown, key: unknown, value: unknown) => void
// oxlint-disable-next-line typescript/no-implied-eval
const sloppyDelete = new Function('base', 'key', 'return delete base[key]') as (base: unknown, key: unknown) => boolean
function isConstructor(value: unknown): boolean {
  try {
    Reflect.construct(Object, [], value as () => unknown)
    return true
  } catch {
    return false
  }
}
