import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { listAssignments } from '#features/assignments/calls/wardens.ts'
import { getCoverage } from '#features/coverage/calls/coming-days.ts'
import { listAudit } from '#features/organisation/calls/audit.ts'
import { moduleFlags } from '#kernel/vocabulary.ts'
import type { AnySchema } from '../../http/body-size.ts'
import { givenConsole } from '../../testing/console-organisation.ts'
import type { NamedCall } from '../../testing/contract-calls.ts'
import { test } from '../../testing/server-test.ts'
import { ask, bearer, calls, inputsOf } from '../authorisation/ask.fixture.ts'
import { type CallInputs, fill, type Uids } from '../authorisation/call-inputs.fixture.ts'
import { Random } from './random.fixture.ts'
import { valueFor } from './schema-values.fixture.ts'

const impossible = ['2030-02-30', '2027-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '0000-01-01']
const places = ['params', 'query', 'body'] as const

/** A text that takes a day, and not any text. */
const takesDays = ({ type, format, pattern }: AnySchema) =>
  type === 'string' && (format === 'date' || (pattern !== undefined && looksLikeDays(new RegExp(pattern))))
/** Also a pattern that was meant for days and takes none. */
const looksLikeDays = (pattern: RegExp) =>
  (pattern.test('2026-01-31') && !pattern.test('x')) || /4\}-.*2\}/.test(pattern.source)

const childrenOf = ({ anyOf = [], items, properties = {} }: AnySchema) => [
  ...anyOf,
  ...(items ? [items] : []),
  ...Object.values(properties),
]
const hasDays = (schema: AnySchema): boolean => takesDays(schema) || childrenOf(schema).some(hasDays)

/** The value once for each day in it, with this day there. */
function withDay(schema: AnySchema, value: unknown, day: string): unknown[] {
  if (takesDays(schema)) return [day]
  const made = (of: AnySchema) => valueFor(of as never, new Random(1), [randomUUID()])
  const { anyOf, items, properties = {} } = schema
  if (anyOf) return anyOf.filter(hasDays).flatMap((one) => withDay(one, made(one), day))
  if (items && hasDays(items)) return withDay(items, made(items), day).map((item) => [item])
  return Object.entries(properties)
    .filter(([, of]) => hasDays(of))
    .flatMap(([name, of]) => {
      const held = (value as Record<string, unknown> | undefined)?.[name] ?? made(of)
      return withDay(of, held, day).map((spoilt) => ({ ...(value as object), [name]: spoilt }))
    })
}

/** Ids of nothing: the input is read first. */
const anyUid = new Proxy({}, { get: () => randomUUID() }) as Uids

const inputsWith = (call: NamedCall, day: string): CallInputs[] => {
  const input = fill(inputsOf(call), anyUid)
  return places.flatMap((place) =>
    withDay((call[place] ?? {}) as AnySchema, input[place], day).map((part) => ({ ...input, [place]: part })),
  )
}

const dated = calls.filter((call) => places.some((place) => call[place] && hasDays(call[place] as AnySchema)))

test('API-84 each call that takes a day refuses days that no calendar has with 422, and names the field', async ({
  server,
}) => {
  const { org, call: console } = await givenConsole(server)
  const warden = await server.signIn((await server.given.warden(org, { modules: moduleFlags })).email)
  expect(dated.length).toBeGreaterThan(9)
  const wrong: string[] = []
  for (const call of dated) {
    const token = call.policy.access === 'console' ? console.token : warden.access_token
    for (const day of impossible)
      for (const input of inputsWith(call, day)) {
        const { code, text } = await ask(server, call, input, bearer(token))
        const { fields = [] } = JSON.parse(text)
        if (code !== '422 invalid_request' || fields.length === 0) wrong.push(`${call.name} ${day}: ${code}`)
      }
  }

  expect(wrong).toEqual([])
})

test('API-84 a day that a calendar has is taken, the last of February in a leap year too', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const day = '2028-02-29'

  expect((await call(getCoverage, { query: { site: org.siteUid, day } })).day).toBe(day)
  expect((await call(listAssignments, { query: { day } })).rows).toEqual([])
  expect((await call(listAudit, { query: { from: day, to: day } })).rows).toEqual([])
})
