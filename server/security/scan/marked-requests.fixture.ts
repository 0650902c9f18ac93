import { urlOf } from '#kernel/client/client.ts'
import type { NamedCall } from '../../testing/contract-calls.ts'
import { inputsOf } from '../authorisation/ask.fixture.ts'
import { type CallInputs, fill, type Uids } from '../authorisation/call-inputs.fixture.ts'

/** Free text is tested at length. Ids, numbers and choices, which schemas restrict, are tested briefly. */
export const kinds = ['texts', 'choices'] as const
export type Kind = (typeof kinds)[number]

interface AnySchema {
  type?: string
  anyOf?: AnySchema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  items?: AnySchema
  properties?: Record<string, AnySchema>
}

/** Follows each value that sqlmap should test. None of our inputs contains it. */
export const mark = '*'

/** A valid input with every optional field, so that each can be tested. */
export function wholeInput(call: NamedCall, uids: Uids): CallInputs {
  const given = fill(inputsOf(call), uids)
  const whole: Record<string, unknown> = {}
  for (const place of ['params', 'query', 'body'] as const) {
    const schema = call[place] as AnySchema | undefined
    if (!schema) continue
    const extra = Object.entries(schema.properties ?? {})
      .filter(([key]) => !isSealedKey(call, key))
      .map(([key, of]) => [key, key === 'after' ? cursorFor(call) : key in samples ? samples[key] : sampleOf(of)])
    whole[place] = {
      ...Object.fromEntries(extra.filter(([, sample]) => sample !== undefined)),
      ...(given[place] ?? {}),
    }
  }
  return whole
}

/** Keys of pages are sealed in the console: another text is refused before it is read. */
const isSealedKey = ({ policy }: NamedCall, key: string) =>
  policy.access === 'console' && (key === 'after' || key === 'before')

/**
 * The row after which the next page begins, as in the addresses of further pages. The person may or may not be on the
 * floor.
 */
const cursorFor = ({ name }: NamedCall) => `${name === 'listOccupants' ? '1' : ''}c0000000-0000-4000-8000-000000000000`

/** Values of fields whose rule is beyond the schema. Undefined: left out, because another field excludes it. */
const samples: Record<string, string | undefined> = {
  email: 'new.hand@evac.test',
  username: 'new.hand',
  mobile: '+61 491 570 156',
  timezone: 'Australia/Sydney',
  day: '2030-01-01',
  from: '2030-01-01',
  to: '2030-01-01',
  visit_date: undefined,
  rows: 'c0000000-0000-4000-8000-000000000000',
}

/** Undefined if only the server knows valid values: an id. */
function sampleOf({ enum: choices, const: only, format, pattern, type, anyOf }: AnySchema): unknown {
  if (anyOf) return anyOf.map(sampleOf).find((sample) => sample !== undefined)
  if (only !== undefined) return only
  if (choices) return choices[0]
  if (format || type !== 'string') return undefined
  return pattern?.includes('0-9') ? '1' : 'a'
}

/** True if the call's schemas have fields of that kind. */
export const hasFields = (call: NamedCall, kind: Kind) =>
  (['params', 'query', 'body'] as const).some((place) => {
    const { properties = {}, ...schema } = (call[place] ?? {}) as AnySchema
    const given = Object.entries(properties).filter(([key]) => !isSealedKey(call, key))
    const isEmpty = given.length === 0 && !schema.anyOf
    return !isEmpty && kindsIn({ ...schema, properties: Object.fromEntries(given) }).includes(kind)
  })

function kindsIn(schema: AnySchema): Kind[] {
  const inside = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ]
  return inside.length > 0 ? inside.flatMap(kindsIn) : [kindOf(schema)]
}

/** Free text, unless the schema restricts its form. A pattern that only excludes the empty text does not. */
function kindOf(schema: AnySchema | undefined): Kind {
  const isFree = schema?.type === 'string' && !schema.format && !schema.enum && !('const' in schema)
  return isFree && (schema.pattern === undefined || schema.pattern === '\\S') ? 'texts' : 'choices'
}

/** The request as sent over the wire, with a mark after every field of the kind (`null`: without marks). */
export function requestText(call: NamedCall, input: CallInputs, token: string, host: string, kind: Kind | null) {
  const marked = (place: 'params' | 'query' | 'body') =>
    input[place] === undefined ? undefined : marks(input[place], call[place] as AnySchema | undefined, kind)
  const url = urlOf(call, {
    params: marked('params') as Record<string, string>,
    query: marked('query') as Record<string, string>,
  }).replaceAll('%2A', mark)
  const isFile = call.bytes !== undefined
  // sqlmap gives a POST without a body a form's type, which is refused unread
  const json = call.method === 'POST' ? JSON.stringify(marked('body') ?? {}) : ''
  const body = isFile ? 'code,first_name,last_name' : json
  const type = isFile ? 'application/octet-stream' : 'application/json'
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    ...(body && { 'content-type': type }),
  }
  const lines = Object.entries({ host, ...headers })
  return {
    url,
    body,
    headers,
    text: `${call.method} ${url} HTTP/1.1\r\n${lines.map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n${body}`,
  }
}

function marks(value: unknown, schema: AnySchema | undefined, kind: Kind | null): unknown {
  const one = schema?.anyOf ? schema.anyOf.find((part) => fits(value, part)) : schema
  if (Array.isArray(value)) return value.map((of) => marks(of, one?.items, kind))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, marks(of, one?.properties?.[key], kind)]))
  // a number or boolean with a mark is no longer JSON of that type, so it would be rejected unread
  if (kind === null || typeof value !== 'string' || kindOf(one) !== kind) return value
  return `${value}${mark}`
}

function fits(value: unknown, { type, properties, const: only }: AnySchema): boolean {
  if (only !== undefined) return value === only
  if (type === 'object')
    return typeof value === 'object' && value !== null && Object.keys(value).every((key) => key in (properties ?? {}))
  return type === typeof value
}
