/** Variables that closures share: reads, assignments, updates and initialisers. */
import type { Rewriting } from './rewriting.ts'
import { nextToken, takesName, type Node } from './syntax.ts'

/** A use of a name: `$hd.vr($hds0,1,7,x)`. */
export function emitIdentifier(r: Rewriting, node: Node): void {
  const variable = r.accesses ? r.scopes.tracked(node) : undefined
  if (variable === undefined) return
  r.out.copy(node.start)
  r.out.open(r.variableCall('vr', variable, node.start))
  r.out.copy(node.end)
  r.out.put(')')
}

/** The text of a name, `this` or a literal, with the hook if it has one: for a second place, where the first is not recorded. */
export function readOf(r: Rewriting, node: Node): string {
  const variable = node.type === 'Identifier' ? r.scopes.tracked(node) : undefined
  return variable === undefined ? r.text(node) : `${r.variableCall('vr', variable, node.start)}${r.text(node)})`
}

/** `x = v`, `x += v`, `x ||= v`. */
export function emitVariableAssignment(r: Rewriting, node: Node): void {
  const { out, source } = r
  const left = node['left'] as Node
  const right = node['right'] as Node
  const operator = node['operator'] as string
  r.hint = left['name']
  const variable = r.accesses ? r.scopes.tracked(left) : undefined
  if (variable === undefined) {
    r.emit(right)
    return
  }
  const name = left['name'] as string
  const operatorAt = nextToken(source, left.end, ')')
  const afterOperator = operatorAt + operator.length
  out.copy(node.start)
  if (operator === '=') {
    // A function takes its name from `x = function () {}`: the hook goes around all of it.
    const around = takesName(right)
    if (around) out.open(r.variableCall('vw', variable, left.start))
    out.copy(afterOperator)
    if (!around) out.put(r.variableCall('vw', variable, left.start))
    r.emit(right)
    out.copy(node.end)
    out.put(')')
    return
  }
  const read = `${r.variableCall('vr', variable, left.start)}${name})`
  const write = r.variableCall('vw', variable, left.start)
  if (operator === '||=' || operator === '&&=' || operator === '??=') {
    out.put('(')
    // `(x) ||= v`: the parentheses around x stay around the read of it.
    out.copy(left.start)
    out.drop(left.end)
    out.put(read)
    out.copy(operatorAt)
    out.drop(afterOperator)
    out.put(operator.slice(0, -1) + (takesName(right) ? `${write}${name}=` : `(${name}=${write}`))
    r.emit(right)
    out.copy(node.end)
    out.put(takesName(right) ? '))' : ')))')
    return
  }
  out.copy(operatorAt)
  out.drop(afterOperator)
  out.put(`=${write}${read}${operator.slice(0, -1)}(`)
  r.emit(right)
  out.copy(node.end)
  out.put('))')
}

/** `x++`: `$hd.vu($hds0,1,7,x++,1)`. */
export function emitVariableUpdate(r: Rewriting, node: Node): void {
  const argument = node['argument'] as Node
  const variable = r.accesses ? r.scopes.tracked(argument) : undefined
  if (variable === undefined) return
  const add = node['prefix'] ? 0 : node['operator'] === '++' ? 1 : -1
  r.out.copy(node.start)
  r.out.open(r.variableCall('vu', variable, argument.start))
  r.out.copy(node.end)
  r.out.put(`,${add})`)
}

/** `let x = v`. The value of a function that takes its name from here is not recorded. */
export function emitInitialiser(r: Rewriting, id: Node, init: Node): void {
  r.hint = id['name']
  const variable = r.accesses && !takesName(init) ? r.scopes.tracked(id) : undefined
  if (variable === undefined) r.emit(init)
  else r.wrap(init, r.variableCall('vw', variable, id.start), ')')
}
