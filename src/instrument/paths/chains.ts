/**
 * Optional chains, written out: `a?.b.c(x)` becomes `($hd.b(7,"?.",$t1=a,$t2=TAG)==null?void 0:…)` with the rest of the chain applied to $t1. The value undefined
 * of a chain that stops has the tag of what it stopped at.
 */
import { nextToken, type Node } from '../syntax.ts'
import { functionCallOf, methodCallOf, argumentList, nativeChain, aroundBase } from './calls.ts'
import { gaps, hold, isPrivate, isSuper, keyOf, readCode, readMember, type Held } from './members.ts'
import type { Writing, Written } from './writing.ts'

export function chainCode(w: Writing, node: Node): Written {
  const last = node['expression'] as Node
  if (!w.frame.place) return w.opaque(nativeChain(w, last))
  return written(w, node, 'void 0', (chain) => chain.link(last))
}

/** `delete a?.b`. */
export function deleteChain(w: Writing, node: Node): Written {
  const chain = node['argument'] as Node
  const last = chain['expression'] as Node
  if (!w.frame.place || last.type !== 'MemberExpression' || isPrivate(last))
    return w.opaque(`delete ${w.breaks(node.start, chain.start)}${nativeChain(w, last)}`)
  return written(w, node, 'true', (links) => {
    const base = links.base(last)
    const key = keyOf(w, last)
    const [before, between, after] = gaps(w, last)
    const target = `${before}${base.code},${base.tag},${between}${key.code},${key.tag}${after}`
    return { code: `${w.call('D')}${target},${w.site(last['property'].start)},${w.strictness})`, tag: w.reg }
  })
}

/** `stopped`: what a chain that stops gives. */
function written(w: Writing, node: Node, stopped: string, write: (chain: Chain) => Written): Written {
  const { temporaries } = w.frame
  const chain = new Chain(w, stopped)
  const last = write(chain)
  w.release(temporaries)
  const expression = (node['expression'] ?? node['argument']) as Node
  const before = w.breaks(node.start, expression.start)
  return { code: `(${before}${chain.tests}${w.registered(last)}${w.breaks(expression.end, node.end)})`, tag: w.reg }
}

class Chain {
  /** The tests of all `?.` so far. */
  tests = ''
  readonly #w: Writing
  readonly #stopped: string

  constructor(w: Writing, stopped: string) {
    this.#w = w
    this.#stopped = stopped
  }

  /** A link of the chain, or what the chain begins with. */
  link(node: Node): Written {
    const w = this.#w
    if (node.type === 'MemberExpression') return this.#member(node)
    if (node.type === 'CallExpression') return this.#call(node)
    return w.expression(node)
  }

  /** What a property is taken from: if a `?.` follows, the test is made. */
  base(node: Node): Written {
    const base = this.link(node['object'])
    if (!node['optional']) return base
    return this.#test(hold(this.#w, undefined, base), nextToken(this.#w.source, node['object'].end, ')'))
  }

  #test(held: Held, offset: number): Written {
    const w = this.#w
    this.tests += `${w.call('b')}${w.site(offset)},"?.",${held.first},${held.firstTag})==null?${this.#stopped}:`
    return { code: held.again, tag: held.tag }
  }

  #member(node: Node): Written {
    const w = this.#w
    if (isSuper(node)) return readMember(w, node)
    const base = this.base(node)
    return this.#read(node, base)
  }

  #read(node: Node, base: Written): Written {
    const w = this.#w
    if (isPrivate(node)) {
      const [before, between, after] = gaps(w, node)
      const site = w.site(node['property'].start)
      const name = `#${node['property'].name}`
      const held = hold(w, undefined, base)
      return {
        code: `${w.call('Gp')}${before}${held.first},${between}${held.firstTag},"${name}",${site},${held.again}.${name}${after})`,
        tag: w.reg,
      }
    }
    return { code: readCode(w, node, base), tag: w.reg }
  }

  #call(node: Node): Written {
    const w = this.#w
    const callee = node['callee'] as Node
    if (callee.type !== 'MemberExpression' || isSuper(callee)) {
      if (!node['optional'] && callee.type !== 'CallExpression') return w.expression(node)
      let target = this.link(callee)
      const begin = w.breaks(node.start, callee.start)
      if (node['optional']) target = this.#test(hold(w, undefined, target), nextToken(w.source, callee.end, ')'))
      if (isSuperMember(callee)) return { code: this.#apply(node, callee, { code: 'this', tag: '0' }, target.code), tag: w.reg }
      return { code: functionCallOf(w, node, callee, { code: begin + target.code, tag: target.tag }), tag: w.reg }
    }
    const base = this.base(callee)
    const outer = w.breaks(node.start, callee.start)
    if (!node['optional'] && !isPrivate(callee)) {
      const code = outer + w.breaks(callee.start, callee['object'].start) + base.code
      return { code: methodCallOf(w, node, callee, { code, tag: base.tag }), tag: w.reg }
    }
    // The method is read before it is known whether it is called.
    const held = hold(w, undefined, { code: aroundBase(w, callee, base.code), tag: base.tag })
    const method = this.#read(callee, { code: held.first, tag: held.firstTag })
    const read = { code: outer + method.code, tag: method.tag }
    if (!node['optional']) {
      const value = hold(w, undefined, read)
      this.tests += `(${value.first},${value.firstTag},0)?0:`
      return { code: this.#apply(node, callee, { code: held.again, tag: held.tag }, value.again), tag: w.reg }
    }
    const value = this.#test(hold(w, undefined, read), nextToken(w.source, callee.end, ')'))
    return { code: this.#apply(node, callee, { code: held.again, tag: held.tag }, value.code), tag: w.reg }
  }

  /** Calls what was read from a base. */
  #apply(node: Node, callee: Node, base: Written, method: string): string {
    const w = this.#w
    const args = argumentList(w, node['arguments'], callee.end, node.end)
    const site = w.site(callee['property'].start)
    const text = JSON.stringify(String(callee['property'].name ?? 'method'))
    return `${w.call('Mf')}${site},${text},${w.call('Fv')}${base.code},${base.tag},${method}),${args})`
  }
}

const isSuperMember = (node: Node): boolean => node.type === 'MemberExpression' && isSuper(node)
