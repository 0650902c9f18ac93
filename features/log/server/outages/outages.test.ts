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

  await markedAgo(server, eventUid, 95)
  await markRunning(server.db)
  await markRunning(server.db)

  expect(await gapsOf(server, eventUid)).toEqual([{ what: 'server', seconds: 95 }])
})

test('REC2-09 an outage that began before the first mark counts from the start of the event', async ({ server }) => {
  const { of, eventUid } = await unsealedDrill(server)
  await sql`update event set started_at = started_at - interval '80 seconds' where uid = ${eventUid}`.execute(server.db)
  await sealEvent(server.db, of)

  await markRunning(server.db)

  const [gap] = await gapsOf(server, eventUid)
  expect(gap?.seconds).toBeGreaterThanOrEqual(80)
})

test('REC2-09 workers that mark at once tell of an outage once', async ({ server }) => {
  const { of, eventUid } = await runningDrill(server)
  await sealEvent(server.db, of)
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
