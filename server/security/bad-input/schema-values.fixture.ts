import type { TSchema } from 'typebox'
import type { AnySchema } from '../../http/body-size.ts'
import { oddText } from './hostile-values.fixture.ts'
import type { Random } from './random.fixture.ts'

/** A value that satisfies a schema, as far as the schema tells. Uids are picked from the given ones. */
export function valueFor(schema: TSchema, random: Random, uids: readonly string[]): unknown {
  return made(schema as AnySchema, random, uids)
}

function made(schema: AnySchema, random: Random, uids: readonly string[]): unknown {
  if (schema.anyOf) return made(random.pick(schema.anyOf), random, uids)
  if ('const' in schema) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  switch (schema.type) {
    case 'object':
      return madeObject(schema, random, uids)
    case 'array':
      return Array.from({ length: (schema.minItems ?? 0) + random.below(3) }, () =>
        made(schema.items ?? {}, random, uids),
      )
    case 'string':
      return madeText(schema, random, uids)
    case 'integer':
    case 'number':
      return random.pick([0, 1, 2, 20, -1])
    case 'boolean':
      return random.chance(0.5)
    default:
      return null
  }
}

function madeObject({ properties = {}, required = [] }: AnySchema, random: Random, uids: readonly string[]) {
  const entries = Object.entries(properties).filter(([key]) => required.includes(key) || random.chance(0.5))
  return Object.fromEntries(entries.map(([key, of]) => [key, made(of, random, uids)]))
}

function madeText(
  { format, pattern, minLength = 0, maxLength = 200 }: AnySchema,
  random: Random,
  uids: readonly string[],
) {
  if (format === 'uuid') return random.pick(uids)
  if (pattern) return random.pick(['all', '61400000000', 'on duty', '1', ...uids])
  return oddText(random).slice(0, maxLength).padEnd(minLength, 'x')
}
