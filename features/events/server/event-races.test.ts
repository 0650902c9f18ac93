import { sql } from 'kysely'
import { expect } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import type { ClientUid, SiteUid } from '#kernel/ids.ts'
import { inClients } from '#server/platform/db/db.ts'
import { sha256 } from '#server/platform/secrets.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { refused } from '#server/testing/refused.ts'
import { crowdedTest as test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import type { Actor } from '#server/wardens/actor.ts'
import { createEvent, endEvent } from '../calls/events.ts'
import { startOrExtend } from './start-event.service.ts'

async function twoManagers(server: TestServer) {
  const org = await server.given.organisation()
  const managers = [
    await server.as(await server.given.warden(org, { role: 'Chief Warden' })),
    await server.as(await server.given.warden(org, { role: 'Chief Warden' })),
  ] as const
  return { org, managers }
}

const activeEvents = ({ db }: TestServer, siteUid: SiteUid) =>
  db.selectFrom('event').select('uid').where('siteUid', '=', siteUid).where('endedAt', 'is', null).execute()

async function activeBuildings({ db }: TestServer, clientUid: ClientUid) {
  const rows = db.selectFrom('eventBuilding').select('buildingUid').where('clientUid', '=', clientUid)
  return (await rows.where('active', '=', true).execute()).map(({ buildingUid }) => buildingUid).toSorted()
}

test('EVENT-57 I3 a hundred double starts make one event each', async ({ server }) => {
  const rounds = 10
  const sites = await Promise.all(Array.from({ length: 10 }, () => twoManagers(server)))

  await Promise.all(
    sites.map(async ({ org, managers: [one, other] }) => {
      for (let round = 0; round < rounds; round++) {
        const replies = await Promise.all([one(createEvent, startInput(org)), other(createEvent, startInput(org))])
        expect(replies.map(({ status }) => status).toSorted()).toEqual(['event_created', 'event_running'])
        expect(replies[0].event).toEqual(replies[1].event)
        await (round % 2 ? one : other)(endEvent, endInput(org))
      }
      const events = server.db.selectFrom('event').select('uid').where('siteUid', '=', org.siteUid)
      expect(await events.execute()).toHaveLength(rounds)
      expect(await activeEvents(server, org.siteUid)).toEqual([])
    }),
  )
}, 120_000)

test('I3 a start that waited for the end of the event before begins after it, also by the clock', async ({
  server,
}) => {
  const { org, managers } = await twoManagers(server)
  const [one, other] = managers
  await one(createEvent, startInput(org))

  await inClients(server.app.db, [org.clientUid], async (tx) => {
    await sql`select now()`.execute(tx)
    await one(endEvent, endInput(org))
    const actor = (await server.app.findActor(sha256(other.token))) as Actor
    await startOrExtend(server.app, tx, actor, startInput(org).body)
  })

  const events = server.db.selectFrom('event').select(['startedAt', 'endedAt']).where('siteUid', '=', org.siteUid)
  const [first, second] = await events.orderBy('startedAt').execute()
  expect(second?.startedAt.getTime()).toBeGreaterThanOrEqual(first?.endedAt?.getTime() ?? Number.NaN)
  expect(second?.endedAt).toBeNull()
})

test('EVENT-57 two starts of the same type in different buildings are one event of both', async ({ server }) => {
  for (let round = 0; round < 20; round++) {
    const { org, managers } = await twoManagers(server)
    const [one, other] = managers

    const replies = await Promise.all([
      one(createEvent, startInput(org)),
      other(createEvent, startInput(org, { buildings: [org.otherBuildingUid] })),
    ])

    expect(replies.map(({ status }) => status)).toEqual(['event_created', 'event_created'])
    const [event] = await activeEvents(server, org.siteUid)
    expect(new Set(replies.map((reply) => reply.event?.id))).toEqual(new Set([event?.uid]))
    expect(await activeBuildings(server, org.clientUid)).toEqual([org.buildingUid, org.otherBuildingUid].toSorted())
  }
}, 60_000)

test.for(['start', 'end'] as const)('EVENT-57 EVENT-24 start and end at once, %s first', async (first, { server }) => {
  const { org, managers } = await twoManagers(server)
  const [one, other] = managers
  await one(createEvent, startInput(org))

  const { start, end } = await inTurn(server, org.siteUid, first, {
    start: () => other(createEvent, startInput(org)),
    end: () => one(endEvent, endInput(org)),
  })

  expect(end).toMatchObject({ status: 'event_ended', scope: 'event' })
  expect(start.status).toBe(first === 'start' ? 'event_running' : 'event_created')
  const active = first === 'start' ? [] : [{ uid: start.event?.id }]
  expect(await activeEvents(server, org.siteUid)).toEqual(active)
  expect(await activeBuildings(server, org.clientUid)).toEqual(active.length ? [org.buildingUid] : [])
  expect(await eventsWithOpenSignIns(server, org.clientUid)).toEqual(active)
})

test.for(['start', 'end'] as const)('EVENT-22 EVENT-62 add and end at once, %s first', async (first, { server }) => {
  const { org, managers } = await twoManagers(server)
  const [one, other] = managers
  const { event } = await one(createEvent, startInput(org))

  const { start: added, end } = await inTurn(server, org.siteUid, first, {
    start: () => other(createEvent, startInput(org, { buildings: [org.otherBuildingUid] })),
    end: () => one(endEvent, endInput(org)),
  })

  // added first, the event goes on without Tower A; ended first, Tower B is a new one
  expect(end).toMatchObject({ scope: first === 'start' ? 'buildings' : 'event', remaining: first === 'start' ? 1 : 0 })
  expect(added.status).toBe('event_created')
  expect(added.event?.id === event?.id).toBe(first === 'start')
  expect(await activeBuildings(server, org.clientUid)).toEqual([org.otherBuildingUid])
  expect(await eventsWithOpenSignIns(server, org.clientUid)).toEqual([{ uid: added.event?.id }])
})

async function race(server: TestServer, what: 'start' | 'addition', rounds: number) {
  const sites = await Promise.all(Array.from({ length: 10 }, () => twoManagers(server)))

  await Promise.all(
    sites.map(async ({ org, managers: [one, other] }) => {
      const towerB = { buildings: [org.otherBuildingUid] }
      for (let round = 0; round < rounds; round++) {
        const { event } = await one(createEvent, startInput(org))
        const [begun, ended] = await Promise.all([
          other(createEvent, startInput(org, what === 'start' ? {} : towerB)),
          one(endEvent, endInput(org)),
        ])

        const wasFirst = begun.event?.id === event?.id
        const isShrunk = wasFirst && what === 'addition'
        expect(ended).toMatchObject({ scope: isShrunk ? 'buildings' : 'event', remaining: isShrunk ? 1 : 0 })
        expect(begun.status).toBe(wasFirst && what === 'start' ? 'event_running' : 'event_created')
        const active = wasFirst && what === 'start' ? [] : [{ uid: begun.event?.id }]
        expect(await activeEvents(server, org.siteUid)).toEqual(active)
        if (active.length > 0) await one(endEvent, endInput(org, what === 'start' ? {} : towerB))
      }
    }),
  )
}

const winner = 'against an end, each has one winner and the other is told'
test.for(['start', 'addition'] as const)(
  `EVENT-57 EVENT-22 EVENT-24 I3 of a hundred times one %s ${winner}`,
  { timeout: 300_000 },
  (what, { server }) => race(server, what, 10),
)

// without the lock, a hundred often pass
test(
  `EVENT-57 EVENT-22 EVENT-24 I3 of five hundred times one start ${winner}`,
  { timeout: 300_000, tags: 'long' },
  ({ server }) => race(server, 'start', 50),
)

test('EVENT-57 EVENT-22 EVENT-24 starts, additions and ends as they come leave one whole event or none', async ({
  server,
}) => {
  const { org, managers } = await twoManagers(server)
  const [one, other] = managers
  const towerB = { buildings: [org.otherBuildingUid] }

  for (let round = 0; round < 25; round++) {
    await Promise.all([
      one(createEvent, startInput(org)),
      other(createEvent, startInput(org, towerB)),
      one(endEvent, endInput(org, round % 2 ? towerB : {})),
      other(endEvent, endInput(org, round % 3 ? towerB : {})),
    ])
    const [active, buildings] = [await activeEvents(server, org.siteUid), await activeBuildings(server, org.clientUid)]
    expect(active.length).toBe(buildings.length === 0 ? 0 : 1)
    expect(await eventsWithOpenSignIns(server, org.clientUid)).toEqual(active)
    if (active[0]) expect(await wrongTallies(server.db, active[0].uid)).toEqual([])
  }
}, 60_000)

test('EVENT-24 of two ends at once one ends it, the other hears so', async ({ server }) => {
  for (let round = 0; round < 30; round++) {
    const { org, managers } = await twoManagers(server)
    const [one, other] = managers
    const { event } = await one(createEvent, startInput(org))

    const answers = await Promise.all([one(endEvent, endInput(org)), other(endEvent, endInput(org))])

    const messages = answers.map(({ message }) => message)
    expect(messages).toContain('This event has already concluded.')
    expect(answers.filter((answer) => 'scope' in answer)).toHaveLength(1)
    const told = await server.journalOf(event?.id as string)
    expect(told.map(({ action }) => action)).toEqual(['event_started', 'event_ended'])
  }
}, 60_000)

test('EVENT-57 I2 a manager who taps Start ten times with one key starts once and hears the same ten times', async ({
  server,
}) => {
  const { org, managers } = await twoManagers(server)
  const key = withKey()

  const replies = await Promise.all(Array.from({ length: 10 }, () => managers[0](createEvent, startInput(org), key)))

  expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
  expect(replies[0]).toMatchObject({ status: 'event_created' })
  expect(await server.journalOf(replies[0]?.event?.id as string)).toHaveLength(1)
})

test('EVENT-61 I5 people recorded while buildings come and go: the counts stay right', async ({ server }) => {
  const { org, managers } = await twoManagers(server)
  const [manager] = managers
  const warden = await server.given.warden(org)
  const people = [
    ...(await server.given.occupants(org, 10)),
    ...(await server.given.occupants(org, 10, { floorUid: org.otherFloorUid })),
  ]
  const { event } = await manager(createEvent, startInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))
  const call = await server.onDuty(warden)
  const floors = [org.floorUid, org.otherFloorUid]
  const record = (i: number) =>
    call(setPersonStatus, {
      body: {
        personId: people[i % people.length] as never,
        status: ['safe', 'danger', 'unknown'][i % 3] as string,
        floorId: floors[(i >> 1) % 2] as never,
      },
    })

  for (let round = 0; round < 8; round++) {
    const towerB = { buildings: [org.otherBuildingUid] }
    const codes = refused(...Array.from({ length: 40 }, (_, i) => record(i + round)))
    const change = round % 2 ? manager(createEvent, startInput(org, towerB)) : manager(endEvent, endInput(org, towerB))
    expect(await change).toMatchObject({ status: round % 2 ? 'event_created' : 'event_ended' })
    expect((await codes).filter((code) => code !== 'answered' && code !== 'not_found')).toEqual([])
    expect(await wrongTallies(server.db, event?.id as string)).toEqual([])
  }
}, 60_000)

async function eventsWithOpenSignIns({ db }: TestServer, clientUid: ClientUid) {
  const open = db.selectFrom('wardenSignIn').select('eventUid as uid').distinct().where('clientUid', '=', clientUid)
  return open.where('closedAt', 'is', null).execute()
}

/** Lets two changes of a site queue up in the order wanted. */
async function inTurn<S, E>(
  server: TestServer,
  siteUid: string,
  first: 'start' | 'end',
  work: { start: () => Promise<S>; end: () => Promise<E> },
): Promise<{ start: S; end: E }> {
  const hold = await server.hold('site', siteUid)
  const before = first === 'start' ? work.start() : work.end()
  await hold.waiting(1)
  const after = first === 'start' ? work.end() : work.start()
  await hold.waiting(2)
  await hold.release()
  const [one, other] = await Promise.all([before, after])
  return (first === 'start' ? { start: one, end: other } : { start: other, end: one }) as { start: S; end: E }
}
