/**
 * Which variables need recording: those that a function other than their own uses, and that are written somewhere besides their
 * declaration. All others cannot be changed by one turn under another, or never change.
 *
 * Resolution follows the language, with two simplifications that cost recordings and never change what a program does: parameters and body
 * of a function are one scope, and functions declared in blocks are not followed.
 */
import { forParts, isFunction, type Node } from './syntax.ts'

export class Variable {
  readonly name: string
  readonly scope: Scope
  /** Where it is declared. */
  readonly start: number
  captured = false
  written = false
  /** Declared where nobody may record it. */
  hidden = false
  /** Declared as something that gets a value: by var, let, const, as a parameter or by catch; not only as function, class or import. */
  bound = false
  index = -1
  constructor(name: string, scope: Scope, start: number) {
    this.name = name
    this.scope = scope
    this.start = start
  }
}

export class Scope {
  readonly parent: Scope | undefined
  /** The scope of the function it belongs to: itself, for functions, the program, static blocks and the initialisers of fields. */
  readonly owner: Scope
  /** Offset where the body starts: what lies before, in the parameters, cannot see what the body declares. */
  readonly bodyStart: number
  /** Is there a place at its begin for a statement? Heads of loops, switches and the names of classes have none. */
  readonly hasPlace: boolean
  readonly variables = new Map<string, Variable>()
  /** Contains a direct eval, which may use any variable it sees. */
  hasEval = false
  /** It or a scope in it contains a direct eval or a `with`: who writes its variables is not known. */
  blurred = false
  /** The variables to record; their indices are the positions here. */
  tracked: readonly Variable[] = []
  /** What the generated code calls the scope's object. */
  id = ''

  constructor(parent: Scope | undefined, own: boolean, hasPlace: boolean, bodyStart: number) {
    this.parent = parent
    this.owner = own || parent === undefined ? this : parent.owner
    this.hasPlace = hasPlace
    this.bodyStart = bodyStart
  }
}

/** Identifiers carry their variable: a map of all of them takes a tenth of the time of everything. */
const VARIABLE = 'heddleVariable'
type Resolved = Node & { [VARIABLE]: Variable }

export class Scopes {
  readonly program: Scope
  readonly #of = new Map<Node, Scope>()
  /** Uses of names, each with the scope it is in; a write stands in both lists. */
  readonly #uses: Node[] = []
  readonly #useScopes: Scope[] = []
  readonly #writes = new Set<Node>()
  readonly #all: Scope[] = []
  readonly #exported: string[] = []

  constructor(program: Node) {
    this.program = this.#open(undefined, true, true, program.start, program)
    for (const statement of program['body'] as Node[]) this.#visit(statement, this.program)
    this.#resolve()
  }

  /** The scope a node opens. */
  of(node: Node): Scope | undefined {
    return this.#of.get(node)
  }

  /** The variable an identifier stands for; undefined for globals, and for references from where variables are not followed. */
  variable(identifier: Node): Variable | undefined {
    return identifier[VARIABLE]
  }

  /** The same, if it is to be recorded at this reference. */
  tracked(identifier: Node): Variable | undefined {
    const variable: Variable | undefined = identifier[VARIABLE]
    if (variable === undefined || variable.index < 0) return undefined
    return identifier.start < variable.scope.bodyStart ? undefined : variable
  }

  #open(parent: Scope | undefined, own: boolean, hasPlace: boolean, bodyStart: number, node?: Node): Scope {
    const scope = new Scope(parent, own, hasPlace, bodyStart)
    this.#all.push(scope)
    if (node !== undefined) this.#of.set(node, scope)
    return scope
  }

  #declare(id: Node, scope: Scope): Variable {
    const name = id['name'] as string
    let variable = scope.variables.get(name)
    if (variable === undefined) scope.variables.set(name, (variable = new Variable(name, scope, id.start)))
    ;(id as Resolved)[VARIABLE] = variable
    return variable
  }

  /** Declares the names of a pattern, and visits its default values and computed keys. */
  #declarePattern(pattern: Node, scope: Scope, seen: Scope): void {
    if (pattern.type === 'Identifier') this.#declare(pattern, scope).bound = true
    else if (pattern.type === 'AssignmentPattern') {
      this.#declarePattern(pattern['left'], scope, seen)
      this.#visit(pattern['right'], seen)
    } else if (pattern.type === 'Property') {
      if (pattern['computed']) this.#visit(pattern['key'], seen)
      this.#declarePattern(pattern['value'], scope, seen)
    } else forParts(pattern, (part) => this.#declarePattern(part, scope, seen))
  }

  #use(identifier: Node, scope: Scope): void {
    this.#uses.push(identifier)
    this.#useScopes.push(scope)
  }

  /** A target of an assignment, which may be a pattern. */
  #write(target: Node, scope: Scope): void {
    if (target.type === 'Identifier') {
      this.#use(target, scope)
      this.#writes.add(target)
    } else if (target.type === 'AssignmentPattern') {
      this.#write(target['left'], scope)
      this.#visit(target['right'], scope)
    } else if (target.type === 'Property') {
      if (target['computed']) this.#visit(target['key'], scope)
      this.#write(target['value'], scope)
    } else if (target.type === 'ArrayPattern' || target.type === 'ObjectPattern' || target.type === 'RestElement') {
      forParts(target, (part) => this.#write(part, scope))
    } else this.#visit(target, scope)
  }

  #function(node: Node, scope: Scope): void {
    const body = node['body'] as Node
    if (node.type === 'FunctionExpression' && node['id']) {
      scope = this.#open(scope, false, false, 0)
      this.#declare(node['id'], scope)
    }
    const inner = this.#open(scope, true, true, body.start, node)
    for (const param of node['params'] as Node[]) this.#declarePattern(param, inner, inner)
    if (body.type === 'BlockStatement') forParts(body, (part) => this.#visit(part, inner))
    else this.#visit(body, inner)
  }

  #visit(node: Node, scope: Scope): void {
    switch (node.type) {
      case 'Identifier':
        this.#use(node, scope)
        return
      case 'FunctionDeclaration':
        // The language gives a function in a block two variables in sloppy code; we follow neither.
        if (node['id']) this.#declare(node['id'], scope).hidden ||= scope !== scope.owner
        this.#function(node, scope)
        return
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.#function(node, scope)
        return
      case 'ClassDeclaration':
      case 'ClassExpression': {
        if (node.type === 'ClassDeclaration' && node['id']) this.#declare(node['id'], scope)
        const inner = this.#open(scope, false, false, 0)
        if (node['id']) this.#declare(node['id'], inner)
        forParts(node, (part) => this.#visit(part, inner))
        return
      }
      case 'PropertyDefinition':
        if (node['computed']) this.#visit(node['key'], scope)
        if (node['value']) this.#visit(node['value'], this.#open(scope, true, false, 0))
        return
      case 'StaticBlock': {
        const inner = this.#open(scope, true, true, node.start, node)
        forParts(node, (part) => this.#visit(part, inner))
        return
      }
      case 'BlockStatement': {
        const inner = this.#open(scope, false, true, node.start, node)
        forParts(node, (part) => this.#visit(part, inner))
        return
      }
      case 'CatchClause': {
        const body = node['body'] as Node
        const inner = this.#open(scope, false, true, body.start, body)
        if (node['param']) this.#declarePattern(node['param'], inner, inner)
        forParts(body, (part) => this.#visit(part, inner))
        return
      }
      case 'ForStatement': {
        const inner = this.#open(scope, false, false, 0)
        forParts(node, (part) => this.#visit(part, inner))
        return
      }
      case 'ForInStatement':
      case 'ForOfStatement': {
        const inner = this.#open(scope, false, false, 0)
        const left = node['left'] as Node
        if (left.type === 'VariableDeclaration') {
          this.#visit(left, inner)
          // Each round writes it, and there is no initialiser to record that.
          if (left['kind'] === 'var') this.#write(left['declarations'][0].id, inner)
        } else this.#write(left, inner)
        this.#visit(node['right'], inner)
        this.#visit(node['body'], inner)
        return
      }
      case 'SwitchStatement': {
        this.#visit(node['discriminant'], scope)
        const inner = this.#open(scope, false, false, 0)
        for (const part of node['cases'] as Node[]) this.#visit(part, inner)
        return
      }
      case 'VariableDeclaration':
        for (const { id, init } of node['declarations'] as Node[]) {
          this.#declarePattern(id, node['kind'] === 'var' ? scope.owner : scope, scope)
          if (init) this.#visit(init, scope)
        }
        return
      case 'AssignmentExpression':
        this.#write(node['left'], scope)
        this.#visit(node['right'], scope)
        return
      case 'UpdateExpression':
        this.#write(node['argument'], scope)
        return
      case 'CallExpression':
        if (node['callee'].type === 'Identifier' && node['callee'].name === 'eval') {
          scope.owner.hasEval = true
          blur(scope)
        }
        break
      case 'WithStatement':
        blur(scope)
        break
      case 'ImportDeclaration':
        for (const { local } of node['specifiers'] as Node[]) this.#declare(local, scope)
        return
      case 'ExportNamedDeclaration':
        this.#export(node)
        break
      default:
    }
    forParts(node, (part) => this.#visit(part, scope))
  }

  /** Another module sees an exported variable and its changes. */
  #export(node: Node): void {
    if (!node['source']) for (const { local } of node['specifiers'] as Node[]) this.#exported.push(local.name)
    if (node['declaration']?.type !== 'VariableDeclaration') return
    const names = (pattern: Node): void => {
      if (pattern.type === 'Identifier') this.#exported.push(pattern['name'])
      else if (pattern.type === 'AssignmentPattern') names(pattern['left'])
      else if (pattern.type === 'Property') names(pattern['value'])
      else forParts(pattern, names)
    }
    for (const { id } of node['declaration'].declarations as Node[]) names(id)
  }

  #resolve(): void {
    for (const [i, node] of this.#uses.entries()) {
      const scope = this.#useScopes[i]!
      let variable: Variable | undefined
      for (let s: Scope | undefined = scope; s !== undefined && variable === undefined; s = s.parent)
        variable = s.variables.get(node['name'])
      if (variable === undefined) continue
      if (variable.scope.owner !== scope.owner) variable.captured = true
      if (this.#writes.has(node)) variable.written = true
      ;(node as Resolved)[VARIABLE] = variable
    }
    for (const name of this.#exported) {
      const variable = this.program.variables.get(name)
      if (variable !== undefined) variable.captured = true
    }
    let count = 0
    for (const scope of this.#all) {
      if (!scope.hasPlace || scope.owner.hasEval || scope.variables.size === 0) continue
      const tracked = [...scope.variables.values()].filter((v) => v.captured && v.written && !v.hidden)
      if (tracked.length === 0) continue
      for (const [index, variable] of tracked.entries()) variable.index = index
      scope.tracked = tracked
      scope.id = `s${count++}`
    }
  }
}

function blur(scope: Scope): void {
  for (let s: Scope | undefined = scope; s !== undefined; s = s.parent) s.blurred = true
}

/** Functions another module may call before this one has begun: the declarations it exports. */
export function exportedFunctions(program: Node): Set<Node> {
  const found = new Set<Node>()
  const names = new Set<string>()
  for (const node of program['body'] as Node[]) {
    if (node.type === 'ExportNamedDeclaration' && !node['source'])
      for (const { local } of node['specifiers'] as Node[]) names.add(local.name)
    const declaration = node['declaration'] as Node | null | undefined
    if (declaration?.type === 'FunctionDeclaration') found.add(declaration)
  }
  for (const node of program['body'] as Node[]) if (isFunction(node) && names.has(node['id'].name)) found.add(node)
  return found
}
