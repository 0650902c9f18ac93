import type { CallContract } from '@evac/contract/route.ts'

/** The most that an honest body of a call takes. More is refused before it is read, or before it is parsed. */
export interface BodySize {
  bytes: number
  /** Names of fields in all its objects. */
  names: number
  /** Objects and arrays within each other. */
  depth: number
}

/** What our schemas use of JSON Schema. */
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

/** For white space, and for fields that a call does not have: a few are named in the refusal, thousands are not read. */
const spare: BodySize = { bytes: 1024, names: 20, depth: 8 }
/** A form of a provider that has no schema: 1,600 characters, each as three octets of four. */
const formSize: BodySize = { ...spare, bytes: 32 * 1024 }
/** Comma or colon, line break and indentation around a value. */
const around = 10
/** An emoji as two escapes; written as it is, it takes four. */
const bytesOfCharacter = 12

/** Worked out from the call's schema. Throws for a text or a list that has no bound. */
export function largestBodyOf({ body, policy, path }: Pick<CallContract, 'body' | 'policy' | 'path'>): BodySize {
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
 * Is this JSON deeper, or has it more names, than any honest body? One pass, which ends at the first too many: parsing
 * 89 kB of unknown names takes ten times as long as this, and refusing them afterwards saves nothing.
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

/** The place of the closing quote; the end where there is none. */
function endOfText(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    const char = json.charCodeAt(at)
    if (char === code.backslash) at++
    else if (char === code.quote) return at
  }
  return json.length
}
