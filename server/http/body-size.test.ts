import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { calls } from '../security/authorisation/ask.fixture.ts'
import { type AnySchema, isTooComplex, largestBodyOf } from './body-size.ts'

const small = { bytes: 1000, names: 3, depth: 2 }

test('T31 every text and every list in every request has a maximum length', () => {
  const unbounded = calls.flatMap(({ name, params, query, body }) =>
    [params, query, body].flatMap((schema) => (schema ? unboundedIn(schema as AnySchema, name) : [])),
  )

  expect(unbounded).toEqual([])
})

test('T31 a call with an unlimited text or list does not boot', () => {
  const call = (body: Parameters<typeof largestBodyOf>[0]['body']) => () => largestBodyOf({ ...setPersonStatus, body })

  expect(call(Type.Object({ note: Type.String() }))).toThrow('/person/status: a text of the request has no bound')
  expect(call(Type.Array(Type.Boolean()))).toThrow('a list of the request has no bound')
})

test('T31 most calls accept less than 8 kB, none of wardens more than 100 kB, and none of administrators more JSON than 1 MB', () => {
  const sizes = calls.map((call) => ({ call, bytes: largestBodyOf(call).bytes }))
  const isOver = (limit: number, access: 'console' | 'others') =>
    sizes
      .filter(({ call, bytes }) => call.bytes === undefined && bytes > limit)
      .filter(({ call }) => (call.policy.access === 'console') === (access === 'console'))
      .map(({ call }) => call.name)

  expect(sizes.filter(({ bytes }) => bytes < 8192).length).toBeGreaterThan(0.7 * calls.length)
  expect(isOver(100 * 1024, 'others')).toEqual([])
  expect(isOver(1024 * 1024, 'console')).toEqual([])
})

test.for<[string, string, boolean]>([
  ['as many names as there may be', '{"a":1,"b":{"c":2}}', false],
  ['one name more', '{"a":1,"b":{"c":2,"d":3}}', true],
  ['as deep as it may be', '{"a":[1,[],{}]}'.replace('[],{}', '2'), false],
  ['one level more', '{"a":[[1]]}', true],
  ['marks within a text', '{"a":"[[[{{{:::::"}', false],
  ['an escaped quote within a text', '{"a":"\\"[[[:::"}', false],
  ['an escaped backslash at the end of a text', '{"a":"\\\\","b":[[1]]}', true],
  ['a text without end', '{"a":"[[[', false],
  ['nothing', '', false],
])('T31 complexity of JSON: %s', ([, json, expected]) => {
  expect(isTooComplex(json, small)).toBe(expected)
})

function unboundedIn(schema: AnySchema, at: string): string[] {
  const { type, format, maxLength, maxItems, items, anyOf = [], properties = {} } = schema
  const isOpenText = type === 'string' && !('const' in schema) && !schema.enum && format !== 'uuid'
  return [
    ...(isOpenText && maxLength === undefined ? [`${at}: a text`] : []),
    ...(type === 'array' && maxItems === undefined ? [`${at}: a list`] : []),
    ...anyOf.flatMap((part) => unboundedIn(part, at)),
    ...(items ? unboundedIn(items, `${at}[]`) : []),
    ...Object.entries(properties).flatMap(([name, part]) => unboundedIn(part, `${at}.${name}`)),
  ]
}
