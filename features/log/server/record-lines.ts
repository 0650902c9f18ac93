import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue } from '#server/platform/db/tables.ts'

/** A field of a record, two levels deep, or an element of a list of objects or texts. */
export type RecordLine = { path: string; value: JsonValue }

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
/** A list of numbers is one value: a curve. */
const isListOfElements = (value: JsonValue | undefined): value is JsonValue[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => one === null || typeof one === 'string' || isObject(one))

/** The record in lines, in the order of its fields. */
export function recordLines(record: JsonObject): RecordLine[] {
  const split = (path: string, value: JsonValue): RecordLine[] =>
    isListOfElements(value)
      ? value.map((element, at) => ({ path: `${path}/${at}`, value: element }))
      : [{ path, value }]
  return Object.entries(record).flatMap(([name, value]) =>
    isObject(value ?? null) && Object.keys(value as JsonObject).length > 0
      ? Object.entries(value as JsonObject).flatMap(([field, inner]) => split(`${name}/${field}`, inner ?? null))
      : split(name, value ?? null),
  )
}

/**
 * Whether the record still says it. An element is looked for in the whole list: others may have left it, or the reader may not
 * see them.
 */
export function saysStill(record: JsonObject, { path, value }: RecordLine): boolean {
  const parts = path.split('/')
  let at: JsonValue | undefined = record
  for (const part of parts) {
    if (Array.isArray(at)) return at.some((element) => isDeepStrictEqual(element, value))
    at = isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined
  }
  return isDeepStrictEqual(at ?? null, value)
}
