/**
 * Variables. Those that closures share and somebody writes are recorded by `vr` and `vw`, which keep the tag; all others have a variable for their
 * tag beside them, declared in the same way, so that the language finds the right one of several with the same name.
 */
import type { Variable } from '../scopes.ts'
import { nextToken, takesName, type Node } from '../syntax.ts'
import type { Writing, Written } from './writing.ts'

/** The variable for the tag, where it can be used. */
export function tagOf(w: Writing, identifier: Node): string | undefined {
  const variable = w.scopes.variable(identifier)
  if (variable === undefined || !hasTag(variable) || w.pending.has(variable)) return undefined
  // The tags of parameters are variables of the body.
  return identifier.start < variable.scope.bodyStart ? undefined : tagName(w, variable)
}

export const hasTag = (variable: Variable): boolean => variable.bound && !variable.scope.blurred && variable.index < 0

export const tagName = (w: Writing, variable: Variable): string => `${w.hooks}_${variable.name}`

export function readVariable(w: Writing, node: Node): Written {
  const name = w.text(node)
  const tracked = w.scopes.tracked(node)
  if (tracked !== undefined) return { code: `${w.variableCall('vr', tracked, node.start)}${name})`, tag: w.reg }
  const tag = tagOf(w, node)
  if (tag !== undefined) return { code: name, tag }
  const variable = w.scopes.variable(node)
  if (variable === undefined) {
    if (name !== 'arguments') return { code: name, tag: '0' }
    w.frame.usesArguments = true
    return w.opaque(name)
  }
  return variable.bound || variable.written ? w.opaque(name) : { code: name, tag: '0' }
}

/** A store into a variable, as it is written where its value is used and where it is not. */
interface Store {
  readonly used: Written
  readonly effect: string
}

/** `named`: the value is a function that takes its name from here. */
function store(w: Writing, left: Node, target: string, { code, tag }: Written, named: boolean): Store {
  const tracked = w.scopes.tracked(left)
  if (tracked !== undefined) {
    const hook = w.variableCall('vw', tracked, left.start)
    const effect = named ? `${hook}${target}=${code},${tag})` : `${target}=${hook}${code},${tag})`
    return { effect, used: { code: `(${effect})`, tag: w.reg } }
  }
  const place = tagOf(w, left)
  if (place === undefined) return { effect: `${target}=${code}`, used: { code: `(${target}=${code})`, tag } }
  const effect = `${target}=${code},${place}=${tag}`
  return { effect, used: { code: `${w.call('p')}${effect})`, tag: tag === '0' ? '0' : place } }
}

/** `x = v`, `x += v`, `x ||= v`. */
export function assignVariable(w: Writing, node: Node): Store {
  const left = node['left'] as Node
  const right = node['right'] as Node
  const operator = node['operator'] as string
  // No function takes its name from `(x) = function () {}`.
  const inParentheses = node.start < left.start
  const name = w.text(left)
  const target = inParentheses ? `(${name})` : name
  const named = takesName(right) && !inParentheses
  const logical = operator === '||=' || operator === '&&=' || operator === '??='
  const before = operator === '=' ? undefined : readVariable(w, left)
  const operatorAt = nextToken(w.source, left.end, ')')
  w.hint = left['name']
  const value = w.expression(right)
  const code = w.breaks(node.start, left.start) + w.breaks(left.end, right.start) + value.code + w.breaks(right.end, node.end)
  if (before === undefined) return store(w, left, target, { code, tag: value.tag }, named)
  if (!logical) {
    const sum = `${w.call('B')}"${operator.slice(0, -1)}",${before.code},${before.tag},${code},${value.tag})`
    return store(w, left, target, { code: sum, tag: w.reg }, false)
  }
  const kind = operator.slice(0, -1)
  const test = `${w.call('b')}${w.site(operatorAt)},"${kind}",${before.code},${before.tag})`
  const stored = store(w, left, target, { code, tag: value.tag }, named)
  return { effect: `${test}${kind}(${stored.effect})`, used: { code: `(${test}${kind}${w.registered(stored.used)})`, tag: w.reg } }
}

/** `x++` and the other three. */
export function updateVariable(w: Writing, node: Node): Store {
  const argument = node['argument'] as Node
  const name = w.text(argument)
  const add = node['operator'] === '++' ? '1' : '-1'
  const breaks = w.breaks(node.start, node.end)
  const before = readVariable(w, argument)
  const next = (code: string, tag: string): Written => ({ code: `${w.call('I')}${breaks}${code},${tag},${add})`, tag: w.reg })
  const simple = store(w, argument, name, next(before.code, before.tag), false)
  if (node['prefix']) return simple
  if (!w.frame.place) {
    const tracked = w.scopes.tracked(argument)
    const place = tagOf(w, argument)
    const tag = w.opaqueTag(name)
    const after =
      tracked !== undefined
        ? `,${w.variableCall('vw', tracked, argument.start)}${name},${tag})`
        : place === undefined
          ? ''
          : `,${place}=${tag}`
    return { effect: simple.effect, used: w.opaque(`${w.call('p')}${breaks}${name}${node['operator']}${after})`) }
  }
  const { temporaries } = w.frame
  const value = w.temporary()
  const tag = w.temporary()
  const { effect } = store(w, argument, name, { code: `${w.call('I')}${value},${tag},${add})`, tag: w.reg }, false)
  w.release(temporaries)
  const read = `${value}=${w.call('J')}${breaks}${before.code},${before.tag})`
  return { effect: simple.effect, used: { code: `(${read},${tag}=${w.reg},${effect},${w.call('c')}${value},${tag}))`, tag: w.reg } }
}
