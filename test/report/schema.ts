/** A JSON Schema validator, as far as docs/finding.schema.json needs one. Unknown keywords are an error, so that none is ignored. */

interface Schema {
  readonly [keyword: string]: unknown
}

const SILENT = new Set(['$schema', 'title', 'description', '$defs'])

/** What is wrong, with where; empty when nothing is. */
export function violations(root: Schema, value: unknown, schema: Schema = root, at = '$'): string[] {
  const wrong: string[] = []
  const is = typeof value === 'object' ? (value === null ? 'null' : Array.isArray(value) ? 'array' : 'object') : typeof value
  const fields = is === 'object' ? (value as Record<string, unknown>) : {}
  const items = is === 'array' ? (value as unknown[]) : []
  const known = (schema['properties'] ?? {}) as Record<string, Schema>
  const prefix = (schema['prefixItems'] ?? []) as Schema[]
  const inside = (part: unknown, how: unknown, where: string): void => void wrong.push(...violations(root, part, how as Schema, where))

  for (const [keyword, rule] of Object.entries(schema)) {
    switch (keyword) {
      case 'type':
        if (rule === 'integer' ? !Number.isInteger(value) : rule !== is) wrong.push(`${at} is no ${String(rule)}`)
        break
      case 'const':
        if (value !== rule) wrong.push(`${at} is not ${String(rule)}`)
        break
      case 'enum':
        if (!(rule as unknown[]).includes(value)) wrong.push(`${at} is none of ${String(rule)}`)
        break
      case 'minimum':
        if (!(typeof value !== 'number' || value >= (rule as number))) wrong.push(`${at} is below ${String(rule)}`)
        break
      case 'minItems':
        if (items.length < (rule as number)) wrong.push(`${at} is too short`)
        break
      case 'maxItems':
        if (items.length > (rule as number)) wrong.push(`${at} is too long`)
        break
      case 'required':
        for (const name of rule as string[]) if (!(name in fields)) wrong.push(`${at}.${name} is missing`)
        break
      case 'properties':
        for (const [name, field] of Object.entries(fields)) if (known[name]) inside(field, known[name], `${at}.${name}`)
        break
      case 'additionalProperties':
        for (const [name, field] of Object.entries(fields)) {
          if (known[name]) continue
          if (rule === false) wrong.push(`${at}.${name} is not in the schema`)
          else inside(field, rule, `${at}.${name}`)
        }
        break
      case 'items':
        items.slice(prefix.length).forEach((item, i) => inside(item, rule, `${at}[${i + prefix.length}]`))
        break
      case 'prefixItems':
        prefix.forEach((how, i) => i < items.length && inside(items[i], how, `${at}[${i}]`))
        break
      case 'anyOf':
        if ((rule as Schema[]).every((how) => violations(root, value, how, at).length > 0)) wrong.push(`${at} is none of what it may be`)
        break
      case '$ref': {
        const name = String(rule).replace('#/$defs/', '')
        inside(value, (root['$defs'] as Record<string, Schema>)[name], at)
        break
      }
      default:
        if (!SILENT.has(keyword)) throw new Error(`the validator does not know ${keyword}`)
    }
  }
  return wrong
}
