/** The hooks as JavaScript, for processes of their own: they only carry out what they are asked for. */
const operators = '+ - * / % ** & | ^ << >> >>> == != === !== < <= > >= instanceof'.split(' ')
const binary = operators.map((operator) => `${JSON.stringify(operator)}:(a,b)=>a ${operator} b`).join(',')
const unary = ['!', '-', '+', '~', 'typeof'].map((operator) => `${JSON.stringify(operator)}:(a)=>${operator} a`).join(',')

export const PLAIN_PATHS = `
const binary = {${binary}}, unary = {${unary}}
const sloppySet = new Function('b', 'k', 'v', 'b[k] = v'), sloppyDelete = new Function('b', 'k', 'return delete b[k]')
const numeric = (a) => a++
const next = (a, add) => (typeof a === 'bigint' ? a + BigInt(add) : a + add)
const apply = (text, f, base, args) => {
  if (typeof f !== 'function') throw new TypeError(text + ' is not a function')
  return Reflect.apply(f, base, args)
}
const set = (b, k, v, strict) => { if (strict) b[k] = v; else sloppySet(b, k, v) }
const hooks = {
  T: { t: 0 }, p: (v) => v, c: (v) => v, O: (v) => v,
  B: (o, a, _, b) => binary[o](a, b), N: (o, a) => unary[o](a), I: (a, _, add) => next(numeric(a), add), J: (a) => numeric(a),
  H: (s, ...v) => s.reduce((t, x, i) => t + \`\${v[2 * i - 2]}\${x}\`),
  b: (_, kind, v) => v, S: (_, a, _t, b) => a === b,
  G: (b, _, k) => b[k], P: (b, _, k, _t, v, _u, _s, strict) => (set(b, k, v, strict), v),
  U: (b, _, k, _t, add, prefix, _s, strict) => { const a = b[k], old = numeric(a), n = next(old, add); set(b, k, n, strict); return prefix ? n : old },
  D: (b, _, k, _t, _s, strict) => strict ? delete b[k] : sloppyDelete(b, k), K: (k, _, b) => k in b,
  Gp: (_b, _t, _k, _s, v) => v, Pp: (_b, _t, _k, _s, v) => v,
  C: (_, text, f, _t, args) => apply(text, f, undefined, args), M: (_, text, b, _t, k, _u, args) => apply(text, b[k], b, args),
  F: (b, _, k) => ({ b, f: b[k] }), Fv: (b, _, f) => ({ b, f }), Mf: (_, text, m, args) => apply(text, m.f, m.b, args),
  W: (_, text, f, _t, args) => Reflect.construct(f, args), Q: (v) => v, Qo: (v) => v,
  E: () => undefined, A: () => 0, Ap: () => 0, R: (_, v) => v, Z: (_, _t, v) => v, X: () => 0, Xi: () => 0, L: (v) => v,
  s: () => ({}), vr: (_, _i, _s, v) => v, vw: (_, _i, _s, v) => v, t: (v) => v, a: () => false, ar: (_, v) => v, l: async () => {},
  k: (v) => v, kf: (_, v) => v, e: () => {}, x: () => {},
}
globalThis[Symbol.for('heddle-paths')] = () => hooks
`
