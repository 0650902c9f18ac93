import { sql } from 'kysely'
import { expect } from 'vitest'
import { openPools } from '#server/testing/database.ts'
import { unsealedDrill } from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getLog, type LogOf } from '../sealing.queries.ts'
import { sealEvent } from '../sealing.service.ts'

/** So many events that run at sites of one organisation. */
async function running({ db, given, runningEvent }: TestServer, count: number): Promise<LogOf[]> {
  const org = await given.organisation()
  const { eventUid } = await runningEvent(org)
  const logs: LogOf[] = [{ clientUid: org.clientUid, eventUid }]
  while (logs.length < count) {
    const site = await given.site(org)
    const { rows } = await sql<{ uid: LogOf['eventUid'] }>`
      insert into event (client_uid, site_uid, event_type_uid, message, broadcast, alert)
      select client_uid, ${site.siteUid}, event_type_uid, message, broadcast, alert from event where uid = ${eventUid}
      returning uid`.execute(db)
    logs.push({ clientUid: org.clientUid, eventUid: rows[0]?.uid as LogOf['eventUid'] })
  }
  return logs
}
const openedWith = async ({ journalOf }: TestServer, { eventUid }: LogOf) =>
  (await journalOf(eventUid)).filter(({ action }) => action === 'log_opened').map(({ after }) => after)

test('SEAL-11 the first entry of a log has its serial among those of the organisation, and the log before it', async ({
  server,
}) => {
  const [first, second] = (await running(server, 2)) as [LogOf, LogOf]

  await sealEvent(server.db, first)
  await sealEvent(server.db, second)
  await sealEvent(server.db, second)

  expect(await openedWith(server, first)).toEqual([{ serial: 1, previous: null }])
  expect(await openedWith(server, second)).toEqual([
    { serial: 2, previous: { serial: 1, event: first.eventUid, size: 0, root: null } },
  ])
})

test('SEAL-11 workers that open many logs at once give serials without gaps, and each log one', async ({ server }) => {
  const logs = await running(server, 12)
  await using other = openPools(server.database.connection)

  await Promise.all(logs.flatMap((of) => [sealEvent(server.db, of), sealEvent(other.system.db, of)]))

  const serials = await Promise.all(logs.map(async (of) => (await getLog(server.db, of)).serial))
  expect(serials.toSorted((a, b) => Number(a) - Number(b))).toEqual(logs.map((_, at) => at + 1))
  for (const of of logs) expect(await openedWith(server, of)).toHaveLength(1)
})

test('SEAL-11 a log is opened though an open transaction holds back its first rows', async ({ server }) => {
  const slow = await server.db.startTransaction().execute()
  await sql`select pg_current_xact_id()`.execute(slow)
  const { of } = await unsealedDrill(server)

  const { size } = await sealEvent(server.db, of)
  await slow.rollback().execute()

  expect(size).toBeGreaterThanOrEqual(1)
  expect(await openedWith(server, of)).toHaveLength(1)
})
