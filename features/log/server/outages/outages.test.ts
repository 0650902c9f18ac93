import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { openPools } from '#server/testing/database.ts'
import { endedDrill, runningDrill, unsealedDrill } from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { sealEvent } from '../sealing.service.ts'
import { markRunning, noteFeedGap } from './outages.service.ts'

const gapsOf = async (server: TestServer, eventUid: Parameters<TestServer['journalOf']>[0]) =>
  (await server.journalOf(eventUid))
    .filter(({ action }) => action === 'service_gap')
    .map(({ after }) => {
      const { from, to, what } = after as { from: string; to: string; what: string }
      return { what, seconds: Math.round((Date.parse(to) - Date.parse(from)) / 1000) }
    })
/** As if all that was recorded had been recorded so much earlier. */
const quietFor = ({ database }: TestServer, eventUid: string, seconds: number) =>
  sql`update journal set recorded_at = recorded_at - make_interval(secs => ${seconds}) where event_uid = ${eventUid}`.execute(
    database.owner.db,
  )
/** As if no worker had run for so long. */
const markedAgo = ({ db }: TestServer, eventUid: string, seconds: number) =>
  sql`update record_log set marked_at = now() - make_interval(secs => ${seconds}) where event_uid = ${eventUid}`.execute(
    db,
  )

test('REC2-09 a mark over 30 s old is an outage of the server, told once; a younger one is none', async ({
  server,
}) => {
  const { of, eventUid } = await runningDrill(server)
  await sealEvent(server.db, of)
  await markRunning(server.db)
  await markedAgo(server, eventUid, 29)
  await markRunning(server.db)
  expect(await gapsOf(server, eventUid)).toEqual([])

  await quietFor(server, eventUid, 100)
  await markedAgo(server, eventUid, 95)
  await markRunning(server.db)
  await markRunning(server.db)

  expect(await gapsOf(server, eventUid)).toEqual([{ what: 'server', seconds: 95 }])
})

test('REC2-09 an outage that began before the first mark counts from the start of the event', async ({ server }) => {
  const { of, eventUid } = await unsealedDrill(server)
  await sql`update event set started_at = started_at - interval '80 seconds' where uid = ${eventUid}`.execute(server.db)
  await quietFor(server, eventUid, 80)
  await sealEvent(server.db, of)

  await markRunning(server.db)

  const [gap] = await gapsOf(server, eventUid)
  expect(gap?.seconds).toBeGreaterThanOrEqual(80)
})

test('REC2-09 a late mark is no outage while entries were recorded, and an outage ends with the first one', async ({
  server,
}) => {
  const { of, eventUid } = await runningDrill(server)
  await sealEvent(server.db, of)
  await quietFor(server, eventUid, 600)
  const recordAgo = (seconds: number) =>
    sql`insert into journal (client_uid, event_uid, action, subject_type, subject_uid, recorded_at)
      select client_uid, uid, 'contact_regained', 'event', uid, now() - make_interval(secs => ${seconds})
      from event where uid = ${eventUid}`.execute(server.database.owner.db)
  await markedAgo(server, eventUid, 85)
  for (const seconds of [80, 60, 35, 10]) await recordAgo(seconds)
  await markRunning(server.db)
  expect(await gapsOf(server, eventUid)).toEqual([])

  await markedAgo(server, eventUid, 200)
  for (const seconds of [195, 105]) await recordAgo(seconds)
  await markRunning(server.db)

  expect(await gapsOf(server, eventUid)).toEqual([{ what: 'server', seconds: 90 }])
})

test('REC2-09 a late mark is no outage while phones on duty were seen', async ({ server }) => {
  const { of, eventUid } = await runningDrill(server)
  await sealEvent(server.db, of)
  await quietFor(server, eventUid, 600)
  await markedAgo(server, eventUid, 55)
  await sql`insert into warden_contact (client_uid, sign_in_uid, seen_at)
    select client_uid, uid, now() - interval '27 seconds' from warden_sign_in where event_uid = ${eventUid}
    on conflict (client_uid, sign_in_uid) do update set seen_at = excluded.seen_at`.execute(server.db)

  await markRunning(server.db)

  expect(await gapsOf(server, eventUid)).toEqual([])
})

test('REC2-09 waiting for a log that is being sealed is no outage', async ({ server }) => {
  const { of, eventUid } = await runningDrill(server)
  await sealEvent(server.db, of)
  await markedAgo(server, eventUid, 26)

  const marking: Promise<void>[] = []
  await server.db.transaction().execute(async (tx) => {
    await sql`select from record_log where event_uid = ${eventUid} for no key update`.execute(tx)
    marking.push(markRunning(server.database.system.db))
    await setTimeout(5_000)
  })
  await Promise.all(marking)

  expect(await gapsOf(server, eventUid)).toEqual([])
})

test('REC2-09 workers that mark at once tell of an outage once', async ({ server }) => {
  const { of, eventUid } = await runningDrill(server)
  await sealEvent(server.db, of)
  await quietFor(server, eventUid, 60)
  await markedAgo(server, eventUid, 60)
  await using other = openPools(server.database.connection)

  await Promise.all(Array.from({ length: 12 }, (_, at) => markRunning(at % 2 ? other.system.db : server.db)))

  expect(await gapsOf(server, eventUid)).toEqual([{ what: 'server', seconds: 60 }])
})

test('REC2-09 a delay of live updates is told to running events only, from their start', async ({ server }) => {
  const [running, ended] = [await runningDrill(server), await endedDrill(server)]
  await sql`update event set started_at = started_at - interval '20 seconds' where uid = ${running.eventUid}`.execute(
    server.db,
  )

  await noteFeedGap(server.db, { fromMsAgo: 3_600_000, toMsAgo: 2_000 })

  const [gap, ...more] = await gapsOf(server, running.eventUid)
  expect([gap?.what, more, await gapsOf(server, ended.eventUid)]).toEqual(['feed', [], []])
  expect(gap?.seconds).toBeGreaterThanOrEqual(18)
  expect(gap?.seconds).toBeLessThan(60)
})
