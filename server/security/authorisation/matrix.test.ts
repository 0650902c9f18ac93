import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { moduleFlags } from '#kernel/vocabulary.ts'
import type { Db } from '../../platform/db/db.ts'
import type { NamedCall } from '../../testing/contract-calls.ts'
import { test as base } from '../../testing/server-test.ts'
import type { TestServer } from '../../testing/test-server.ts'
import {
  ask,
  bearer,
  expectedAt,
  inputsOf,
  letThrough,
  seenAt,
  sharedCalls,
  signedInCalls,
  tryCall,
} from './ask.fixture.ts'
import { atOnce, forEach } from './at-once.fixture.ts'
import { type Asking, askers, givenStrangers, type Kind } from './foreign-objects.fixture.ts'
import { detours, goAround } from './guard-bypass.fixture.ts'
import { askWithSlip, countRecordsOfOthers, slips } from './impersonation.fixture.ts'
import { givenModuleSets, moduleSetNames, moduleSets } from './module-sets.fixture.ts'
import { everyModule, givenOnDuty } from './on-duty.fixture.ts'
import { givenStandings, standingNames, standings } from './session-states.fixture.ts'
import { casesOf, inputWith, type StrangeCase } from './strange-cases.fixture.ts'
import { givenTokens, wrongTokens } from './tokens.fixture.ts'

/** No event managers here, because the last one may not go off duty. */
const modules = moduleFlags.filter((flag) => flag !== 'Module_Event_Management')

const test = base
  .extend('tokens', { scope: 'file' }, async ({ server }) => givenTokens(server))
  .extend('tokensOfSets', { scope: 'file' }, async ({ server }) => givenModuleSets(server))
  .extend('standing', { scope: 'file' }, async ({ server }) => givenStandings(server, modules))
  .extend('standingBare', { scope: 'file' }, async ({ server }) => givenStandings(server, []))
  .extend('strangers', { scope: 'file' }, async ({ server }) => givenStrangers(server))
  .extend('onDutyFor', { scope: 'file' }, async ({ server }) => givenOnDuty(server, everyModule, []))

/** What takes most of the time, and is asked of each call in one place of the code. */
const long = { tags: 'long' } as const

const strangeCases = askers.flatMap((asker) => casesOf(asker))

test('T2 the matrix has more than 3,000 cases, with some in each dimension', () => {
  const perCall = [wrongTokens, detours, moduleSetNames, standingNames, standingNames, slips].map(
    ({ length }) => length,
  )

  expect(Math.min(...perCall)).toBeGreaterThan(9)
  expect(strangeCases.length).toBeGreaterThan(400)
  expect(signedInCalls.length * perCall.reduce((sum, count) => sum + count) + strangeCases.length).toBeGreaterThan(3000)
})

test.for(signedInCalls)('AUTH-04 T1 every id that $name takes is tried', (call) => {
  for (const place of ['params', 'query', 'body'] as const) {
    const schema = call[place] as { properties?: Record<string, { format?: string }> } | undefined
    const fields = Object.entries(schema?.properties ?? {})
    // where a page of a list begins is said by the server
    const ids = fields.filter(([key, { format }]) => format === 'uuid' && key !== 'after').map(([key]) => key)
    expect(Object.keys(inputsOf(call)[place] ?? {})).toEqual(expect.arrayContaining(ids))
  }
})

test.for(signedInCalls)('PROD-05 SESSION-20 T2 no invalid token opens $name', async (call, { server, tokens }) => {
  const seen = await atOnce(wrongTokens, async (wrong) => seenAt(await tryCall(server, call, tokens.headers[wrong])))

  const opens = (wrong: string) => wrong === 'a token of the console' && sharedCalls.includes(call)
  expect(seen).toEqual(forEach(wrongTokens, (wrong) => (opens(wrong) ? letThrough : '401 not_signed_in')))
})

test.for(signedInCalls)(
  'PROD-05 T2 no detour reaches $name without a token',
  long,
  async (call, { server, tokens }) => {
    const seen = await atOnce(detours, (detour) =>
      goAround(server.app, call, detour, tokens.right.authorization.slice(7)),
    )

    expect(seen).toEqual(forEach(detours, () => 'turned away'))
  },
)

test.for(signedInCalls)('API-69 AUTH-02 T5 $name requires its module', async (call, { server, tokensOfSets }) => {
  const seen = await atOnce(moduleSetNames, (name) => triedBy(server, call, tokensOfSets.get(name)))

  const expected = (name: string) => {
    const flags = moduleSets[name] ?? []
    // a role that only reads records takes part in no event
    const inEvent = flags.length !== 1 || flags[0] !== 'Module_Event_Records'
    return expectedAt(call.policy, { isSignedIn: true, counts: true, inEvent, onDuty: inEvent, flags })
  }
  expect(seen).toEqual(forEach(moduleSetNames, expected))
})

describe.for([
  { whose: 'with modules', flags: modules },
  { whose: 'without any', flags: [] },
])('AUTH-02 AUTH-05 AMB-149 a role $whose', ({ flags }) => {
  test.for(signedInCalls)(
    "$name checks the asker's standing",
    long,
    async (call, { server, standing, standingBare }) => {
      const tokens = flags.length > 0 ? standing : standingBare
      const seen = await atOnce(standingNames, (name) => triedBy(server, call, tokens.get(name)))

      expect(seen).toEqual(forEach(standingNames, (name) => expectedAt(call.policy, { ...standings[name], flags })))
    },
  )
})

const triedBy = async (server: TestServer, call: NamedCall, token = '') =>
  seenAt(await tryCall(server, call, bearer(token)))

describe.for(askers)('AUTH-04 AMB-148 T1 T3 %s gets the same answer for foreign ids as for unknown ones', (asker) => {
  const cases = casesOf(asker)
  const asked = signedInCalls.filter((call) => cases.some((one) => one.call === call))

  test.for(asked)('by $name', async (call, { server, strangers }) => {
    const ofCall = new Map(cases.filter((one) => one.call === call).map((one) => [one.name, one]))
    const names = [...ofCall.keys()]
    const before = await lastEntry(server.db)

    const seen = await atOnce(names, (name) => compared(server, strangers[asker], ofCall.get(name) as StrangeCase))

    expect(seen).toEqual(forEach(names, (name) => `as unknown: ${ofCall.get(name)?.names.unknown}`))
    expect(await lastEntry(server.db)).toBe(before)
  })
})

/** Compares the answer for a foreign id with the answer for an id that does not exist. */
async function compared(server: TestServer, asking: Asking, one: StrangeCase): Promise<string> {
  const stranger = asking.others[one.names.kind as Kind][one.whose] as string
  const unknown = one.names.kind === 'ownEmail' ? 'nobody@evac.test' : randomUUID()
  const about = await ask(server, one.call, inputWith(one, asking, stranger), bearer(asking.token))
  const aboutNothing = await ask(server, one.call, inputWith(one, asking, unknown), bearer(asking.token))
  const isSame = about.status === aboutNothing.status && about.text === aboutNothing.text
  if (!isSame) return `differs: ${about.status} ${about.text}, unknown: ${aboutNothing.status} ${aboutNothing.text}`
  // what an asker does not reach at all is not found, whatever else the request names
  const isExpected = one.names.unknown === about.code || about.code === '404 not_found'
  const answer = isExpected ? one.names.unknown : `${about.status} ${about.text}`
  return `as unknown: ${answer}`
}

test.for(signedInCalls)(
  'AUTH-07 T4 naming someone else in a request to $name does not change who is recorded',
  long,
  async (call, { server, onDutyFor }) => {
    const two = onDutyFor(call.name)
    const before = await countRecordsOfOthers(server, two)

    const seen = await atOnce(slips, async (slip) => (await askWithSlip(server, call, two, slip)).code)

    // rejected for the name, or answered as if it named no one
    for (const [slip, code] of Object.entries(seen))
      expect(code, slip).toMatch(
        /^(200|403 forbidden|403 unauthorized_access|404 not_found|409 \w+|422 invalid_request)$/,
      )
    expect(await countRecordsOfOthers(server, two)).toBe(before)
  },
)

async function lastEntry(db: Db) {
  const row = await db
    .selectFrom('journal')
    .select(({ fn }) => fn.max('position').as('last'))
    .executeTakeFirst()
  return row?.last
}
