import { sql } from 'kysely'
import { expect } from 'vitest'
import { givenRecordOf } from '#server/security/authorisation/own-uids.fixture.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { sealWhole } from '#server/testing/event-log.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { addToRecord, listActions } from '../calls/additions.ts'
import { getRecord, listDrillsDue, listNames, listRecords, listTimeline, listTrends } from '../calls/records.ts'
import { givenRecord } from './records.fixture.ts'

async function givenReaders(server: TestServer) {
  const at = await givenRecord(server)
  const elsewhere = await server.given.site(at.org)
  const ofElsewhere = await givenRecordOf(server, elsewhere)
  const as = async (over: Parameters<typeof givenAdministrator>[2]) =>
    server.callWith((await asAdministrator(server, await givenAdministrator(server, at.org, over))).token)
  return {
    ...at,
    elsewhere,
    ofElsewhere,
    whole: await as({ firstName: 'Whole' }),
    site: await as({ reach: 'site', siteUid: at.org.siteUid }),
    marked: await as({ seesPlans: true }),
  }
}

test('AAR-01 AAR-02 an administrator reads the records of all sites, and one of a site those of the site', async ({
  server,
}) => {
  const { eventUid, ofElsewhere, org, elsewhere, manager, whole, site } = await givenReaders(server)
  const own = { params: { eventUid } }

  const listed = async (call: typeof whole) =>
    (await call(listRecords, { query: {} })).records.map(({ event }) => event).sort()
  expect(await listed(whole)).toEqual([eventUid, ofElsewhere].sort())
  expect(await listed(site)).toEqual([eventUid])
  expect((await whole(listRecords, { query: {} })).sites.map(({ id }) => id).sort()).toEqual(
    [org.siteUid, elsewhere.siteUid].sort(),
  )

  const read = await whole(getRecord, own)
  const { additions, ...byWarden } = await manager(getRecord, own)
  expect(read).toMatchObject({ ...byWarden, whole: true })
  expect(await site(getRecord, own)).toEqual(read)
  expect(read.additions).toEqual(additions.map((addition) => ({ ...addition, mine: false })))

  expect((await site(listDrillsDue, { query: {} })).due.map(({ name }) => name)).toEqual(
    (await manager(listDrillsDue, { query: {} })).due.map(({ name }) => name),
  )
  expect((await whole(listDrillsDue, { query: {} })).due.length).toBeGreaterThan(
    (await site(listDrillsDue, { query: {} })).due.length,
  )
  // trends leave out what lasted less than a minute
  await sql`update event_record set began_at = ended_at - interval '2 minutes'`.execute(server.db)
  expect((await site(listTrends, { query: { site: org.siteUid } })).points).toHaveLength(1)
  expect((await site(listTrends, { query: { site: elsewhere.siteUid } })).points).toEqual([])
  expect((await whole(listActions, { query: {} })).open).toBe(0)
})

test('AAR-10 AAR-17 names and timeline are journaled with the administrator who read them', async ({ server }) => {
  const { eventUid, org, whole } = await givenReaders(server)

  const { people } = await whole(listNames, { params: { eventUid }, body: { list: 'unaccounted' } }, withKey())
  await whole(listTimeline, { params: { eventUid }, query: {} })
  await sealWhole(server, { clientUid: org.clientUid, eventUid })
  const { entries } = await whole(listTimeline, { params: { eventUid }, query: { show: 'all' } })

  expect(people).toHaveLength(1)
  const looks = entries.filter(({ action }) => action === 'record_names_seen')
  expect(looks).toHaveLength(2)
  expect(looks.map(({ who, role }) => [who?.split(' ')[0], role])).toEqual([
    ['Whole', 'Administrator'],
    ['Whole', 'Administrator'],
  ])
})

test('AAR-18 PPL-30 an administrator without the mark sees no one with a plan by name', async ({ server }) => {
  const { eventUid, whole, marked } = await givenReaders(server)
  const input = { params: { eventUid }, body: { list: 'plans', reason: 'The insurer asks' } } as const

  expect(await refused(whole(listNames, input, withKey()))).toEqual(['forbidden'])
  expect((await marked(listNames, input, withKey())).people).toEqual([])
})

test('AAR-18 PPL-30 an administrator without the mark does not read where people with a plan were', async ({
  server,
}) => {
  const { eventUid, org, whole, marked } = await givenReaders(server)
  const planned = {
    floor: org.floors[0],
    building: org.buildingUid,
    place: 'Tower A - Ground',
    status: 'safe',
    safe_after: 9,
  }
  await sql`update event_record set summary = jsonb_set(summary, '{plans,people}', ${JSON.stringify([planned])}::jsonb)
    where event_uid = ${eventUid}`.execute(server.db)
  const plansOf = async (call: typeof whole) => (await call(getRecord, { params: { eventUid } })).record?.plans.people

  expect(await plansOf(whole)).toEqual([])
  expect(await plansOf(marked)).toEqual([planned])
})

test('AAR-01 an administrator adds nothing to a record', async ({ server }) => {
  const { eventUid, whole } = await givenReaders(server)
  const body = { kind: 'sign_off', body: {} } as const

  expect(await refused(whole(addToRecord, { params: { eventUid }, body }, withKey()))).toEqual(['not_signed_in'])
})

test('LOG-06 LOG-09 a record brings its signed heads, newest first, with the key that signed them', async ({
  server,
}) => {
  const { eventUid, manager } = await givenReaders(server)

  const { heads, has_mail } = await manager(getRecord, { params: { eventUid } })

  expect(heads[0]).toMatchObject({ root: expect.stringMatching(/^[\w+/]{43}=$/), stamped: false })
  expect(heads[0]?.key).toMatch(/^[^+ ]+\+[\da-f]{8}\+[\w+/=]{44}$/)
  expect(heads.map(({ size }) => size)).toEqual(heads.map(({ size }) => size).toSorted((a, b) => b - a))
  // the simulator keeps mails on this machine
  expect(has_mail).toBe(![undefined, 'simulator'].includes(server.app.config.mail as 'simulator'))
})
