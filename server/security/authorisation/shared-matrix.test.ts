import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { asAdministrator, givenAdministrator } from '../../testing/administrators.ts'
import { test as base } from '../../testing/server-test.ts'
import {
  consoleAskerNames,
  consoleAskers,
  givenConsoleAskers,
  givenWrongConsoleTokens,
} from './administrators.fixture.ts'
import { ask, bearer, inputsOf, letThrough, seenAt, sharedCalls, tryCall } from './ask.fixture.ts'
import { forEach } from './at-once.fixture.ts'
import { fill } from './call-inputs.fixture.ts'
import { detours, goAround } from './guard-bypass.fixture.ts'
import { givenRecordOf } from './own-uids.fixture.ts'

const test = base
  .extend('wrong', { scope: 'file' }, async ({ server }) => givenWrongConsoleTokens(server))
  .extend('askers', { scope: 'file' }, async ({ server }) => givenConsoleAskers(server))

test('AAR-01 administrators share the calls that read records, and none that adds to them', () => {
  expect(sharedCalls.map(({ name }) => name).sort()).toEqual([
    ...[
      'exportRecord',
      'getExport',
      'getRecord',
      'getReplay',
      'listActions',
      'listDrillsDue',
      'listNames',
      'listRecords',
      'listTimeline',
      'listTrends',
    ],
  ])
})

test.for(sharedCalls)('AAR-01 ORG-14 T2 no ended token of the console opens $name', async (call, { server, wrong }) => {
  const seen: Record<string, string> = {}
  for (const [name, headers] of Object.entries(wrong)) seen[name] = seenAt(await tryCall(server, call, headers))

  // a chief warden has the module
  const opens = (name: string) => name === 'the token of a chief warden on duty'
  expect(seen).toEqual(forEach(Object.keys(wrong), (name) => (opens(name) ? letThrough : '401 not_signed_in')))
})

test.for(sharedCalls)(
  'AAR-01 T2 no detour reaches $name with a token of the console',
  async (call, { server, askers }) => {
    const { token = '' } = askers.get('the whole organisation') ?? {}
    const seen: Record<string, string> = {}
    for (const detour of detours) seen[detour] = await goAround(server.app, call, detour, token)

    expect(seen).toEqual(forEach(detours, () => 'turned away'))
  },
)

test.for(sharedCalls)(
  'AAR-01 ORG-10 T5 $name is for the organisation and sites, not for groups',
  async (call, { server, askers }) => {
    const seen: Record<string, string> = {}
    for (const name of consoleAskerNames)
      seen[name] = seenAt(await tryCall(server, call, bearer(askers.get(name)?.token ?? '')))

    const mayRead = (name: string) => (consoleAskers[name as 'a site'] as readonly string[]).includes('records')
    expect(seen).toEqual(forEach(consoleAskerNames, (name) => (mayRead(name) ? letThrough : '403 forbidden')))
  },
)

test.for(sharedCalls.filter(({ path }) => path.includes(':eventUid')))(
  'AAR-02 ORG-10 T1 $name answers administrators a foreign record as an unknown one',
  async (call, { server }) => {
    const org = await server.given.organisation()
    const site = await server.given.site(org)
    const foreign = await givenRecordOf(server, await server.given.organisation())
    const [own, elsewhere] = [await givenRecordOf(server, org), await givenRecordOf(server, site)]
    const whole = await asAdministrator(server, await givenAdministrator(server, org))
    const ofSite = await asAdministrator(
      server,
      await givenAdministrator(server, org, { reach: 'site', siteUid: org.siteUid }),
    )
    const asked = async ({ token }: { token: string }, endedEvent: string) =>
      (
        await ask(
          server,
          call,
          fill(inputsOf(call), { endedEvent, evacuee: randomUUID(), floor: randomUUID() } as never),
          bearer(token),
        )
      ).code

    const unknown = randomUUID()
    expect([await asked(whole, own), await asked(whole, elsewhere)]).toEqual(['200', '200'])
    expect([await asked(whole, foreign), await asked(whole, unknown)]).toEqual(['404 not_found', '404 not_found'])
    expect([await asked(ofSite, own), await asked(ofSite, elsewhere)]).toEqual(['200', '404 not_found'])
    expect(await asked(ofSite, foreign)).toBe('404 not_found')
  },
)
