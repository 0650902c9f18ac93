import { expect } from 'vitest'
import { listReportInCards, logSignIn } from '#features/duty/calls/report-in.ts'
import { getChannels, pollEvent } from '#features/live-updates/calls/realtime.ts'
import { startInput } from '#server/testing/event-input.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { createEvent, type EventSites, listEventSites } from '../calls/events.ts'

async function siteWithChief(server: TestServer) {
  const org = await server.given.organisation()
  const chief = await server.given.warden(org, { role: 'Chief Warden' })
  return { org, chief, manager: await server.as(chief) }
}
const kindsOf = ({ db }: TestServer) => db.selectFrom('event').select(['kind', 'announced']).execute()

test.for([
  ['live', {}, { kind: 'live', announced: null }],
  ['drill', {}, { kind: 'drill', announced: true }],
  ['live', { kind: 'drill', announced: 'no' }, { kind: 'drill', announced: false }],
  ['drill', { kind: 'live', announced: 'no' }, { kind: 'live', announced: null }],
] as const)(
  'KIND-01 KIND-06 a type meant for %s, started with %o, is %o in event and journal',
  async ([meantFor, asked, stored], { server }) => {
    const { org, manager } = await siteWithChief(server)
    await server.db
      .updateTable('eventType')
      .set({ defaultKind: meantFor })
      .where('uid', '=', org.eventTypeUid)
      .execute()

    const { event } = await manager(createEvent, startInput(org, asked))

    expect(event?.kind).toBe(stored.kind)
    const row = server.db
      .selectFrom('event')
      .select(['kind', 'announced'])
      .where('uid', '=', event?.id as never)
    expect(await row.executeTakeFirst()).toEqual(stored)
    expect((await server.journalOf(event?.id as string))[0]).toMatchObject({ action: 'event_started', after: stored })
  },
)

test('KIND-06 an addition without a kind, or with that of the event, joins it', async ({ server }) => {
  const { org, manager } = await siteWithChief(server)
  await manager(createEvent, startInput(org, { kind: 'drill', announced: 'no' }))

  const added = await manager(createEvent, startInput(org, { buildings: [org.otherBuildingUid], announced: 'yes' }))

  expect(added).toMatchObject({ status: 'event_created', event: { kind: 'drill' }, event_kind: 'drill' })
  expect(await kindsOf(server)).toContainEqual({ kind: 'drill', announced: false })
  const { data }: EventSites = await manager(listEventSites, {})
  expect(data.activeEvent?.kind).toBe('drill')
  expect(data.sites[0]?.buildings.map(({ event }) => event?.kind)).toEqual(['drill', 'drill'])
})

test.for([
  ['live', 'drill', 'A drill is running at'],
  ['drill', 'live', 'An event is already running at'],
] as const)(
  'KIND-06 KIND-17 a %s start in other buildings never joins a running %s: nothing changes and no text goes out',
  async ([asked, running, told], { server }) => {
    const { org, manager } = await siteWithChief(server)
    await server.given.occupants(org, 1, { floorUid: org.otherFloorUid })
    const { event } = await manager(createEvent, startInput(org, { kind: running }))
    const texts = async () => (await server.db.selectFrom('sms').select('uid').execute()).length
    const before = await texts()

    const other = startInput(org, { buildings: [org.otherBuildingUid], kind: asked, broadcastMessage: 'yes' })
    const answers = await Promise.all(Array.from({ length: 5 }, () => manager(createEvent, other)))

    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 'event_running',
        message: expect.stringContaining(told),
        event: { id: event?.id, kind: running },
      })
    const { data } = await manager(listEventSites, {})
    expect(data.sites[0]?.buildings.map((one) => one.event?.kind ?? null)).toEqual([running, null])
    expect(await texts()).toBe(before)
  },
)

test('KIND-08 KIND-09 phones learn the kind by sign-in, sign-in log, channel list, poll and card', async ({
  server,
}) => {
  const { org, manager } = await siteWithChief(server)
  const warden = await server.given.warden(org)
  const call = await server.as(warden)
  const learnt = async () => {
    const [signedIn, log, channels, poll, [card]] = await Promise.all([
      server.signIn(warden.email),
      call(logSignIn, { body: null }),
      call(getChannels, {}),
      call(pollEvent, {}),
      call(listReportInCards, { query: { signInMethod: 'Email' } }),
    ])
    return [signedIn.event_kind, log.event_kind, channels.event_kind, poll.event_kind, card?.Event_Kind]
  }
  expect(await learnt()).toEqual([null, null, null, undefined, null])

  expect((await manager(createEvent, startInput(org, { kind: 'drill' }))).event_kind).toBe('drill')

  expect(await learnt()).toEqual(['drill', 'drill', 'drill', 'drill', 'drill'])
})
