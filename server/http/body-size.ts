import type { CallContract } from '#kernel/route.ts'

/** The largest legitimate body of a call. Anything larger is rejected before it is read or parsed. */
export interface BodySize {
  bytes: number
  /** Number of field names in all objects together. */
  names: number
  /** Nesting depth of objects and arrays. */
  depth: number
}

/** The part of JSON Schema that our schemas use. */
export interface AnySchema {
  type?: string
  anyOf?: AnySchema[]
  enum?: unknown[]
  const?: unknown
  items?: AnySchema
  properties?: Record<string, AnySchema>
  required?: string[]
  format?: string
  pattern?: string
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
}

/**
 * Allowance for white space and unknown fields: a few unknown fields are named in the error, thousands are not read.
 */
const spare: BodySize = { bytes: 1024, names: 20, depth: 8 }
/** A provider's form, which has no schema: 1,600 characters of four bytes, each byte written as three. */
const formSize: BodySize = { ...spare, bytes: 32 * 1024 }
/** Bytes around a value: comma or colon, line break and indentation. */
const around = 10
/** An emoji as two escapes. Unescaped it takes four bytes. */
const bytesOfCharacter = 12

/** Computes the size from the call's schema. Throws for a text or a list without a maximum length. */
export function largestBodyOf({
  body,
  bytes,
  policy,
  path,
}: Pick<CallContract, 'body' | 'bytes' | 'policy' | 'path'>): BodySize {
  if (bytes !== undefined) return { ...spare, bytes: bytes + spare.bytes }
  if (!body) return policy.access === 'public' && policy.signed ? formSize : spare
  try {
    const { bytes, names, depth } = sizeOf(body as AnySchema)
    return { bytes: bytes + spare.bytes, names: names + spare.names, depth: depth + spare.depth }
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`)
  }
}

function sizeOf(schema: AnySchema): BodySize {
  if (schema.anyOf) return largestOf(schema.anyOf.map(sizeOf))
  if ('const' in schema) return plain(JSON.stringify(schema.const).length)
  if (schema.enum) return largestOf(schema.enum.map((value) => plain(JSON.stringify(value).length)))
  if (schema.type === 'object') return objectSize(Object.entries(schema.properties ?? {}))
  if (schema.type === 'array') return arraySize(sizeOf(schema.items ?? {}), bound(schema.maxItems, 'a list'))
  if (schema.type === 'string')
    return plain(schema.format === 'uuid' ? 38 : 2 + bytesOfCharacter * bound(schema.maxLength, 'a text'))
  return plain(24)
}

function objectSize(properties: [string, AnySchema][]): BodySize {
  const sizes = properties.map(([name, of]) => ({ name, ...sizeOf(of) }))
  return {
    bytes: 2 + sum(sizes.map(({ name, bytes }) => JSON.stringify(name).length + bytes + around)),
    names: properties.length + sum(sizes.map(({ names }) => names)),
    depth: 1 + largestOf(sizes).depth,
  }
}

const arraySize = (item: BodySize, count: number): BodySize => ({
  bytes: 2 + count * (item.bytes + around),
  names: count * item.names,
  depth: 1 + item.depth,
})

const plain = (bytes: number): BodySize => ({ bytes, names: 0, depth: 0 })

const largestOf = (sizes: readonly BodySize[]): BodySize => ({
  bytes: Math.max(0, ...sizes.map(({ bytes }) => bytes)),
  names: Math.max(0, ...sizes.map(({ names }) => names)),
  depth: Math.max(0, ...sizes.map(({ depth }) => depth)),
})

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

function bound(limit: number | undefined, what: string): number {
  if (limit === undefined) throw new Error(`${what} of the request has no bound`)
  return limit
}

const code = { quote: 34, backslash: 92, colon: 58, openList: 91, closeList: 93, openObject: 123, closeObject: 125 }

/**
 * True if the JSON is nested deeper, or has more names, than any legitimate body. One pass that stops at the first
 * excess: parsing 89 kB of unknown names takes ten times as long.
 */
export function isTooComplex(json: string, { names, depth }: BodySize): boolean {
  let level = 0
  let colons = 0
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at)
    if (char === code.quote) at = endOfText(json, at)
    else if (char === code.openList || char === code.openObject) {
      if (++level > depth) return true
    } else if (char === code.closeList || char === code.closeObject) level--
    else if (char === code.colon && ++colons > names) return true
  }
  return false
}

/** The position of the closing quote, or the end of the text if there is none. */
function endOfText(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    const char = json.charCodeAt(at)
    if (char === code.backslash) at++
    else if (char === code.quote) return at
  }
  return json.length
}
