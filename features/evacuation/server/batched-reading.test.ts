import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sha256 } from '#server/platform/secrets.ts'
import { startTestServer, type TestServer } from '#server/testing/test-server.ts'
import { refusalToggles, statusRecords } from './person-status.queries.ts'

const [organisations, people] = [6, 1000]

/** A running event with as many wardens as people. */
async function crowdedEvent(server: TestServer) {
  const org = await server.given.organisation()
  const persons = await server.given.occupants(org, people)
  const { chief, manager } = await server.runningEvent(org)
  await server.database.owner.pg.query(
    `with p as (
       insert into person (client_uid, code, first_name, last_name)
       select $1, 'M' || n, 'Many', n::text from generate_series(1, $3::int) n returning client_uid, uid
     ), a as (
       insert into warden_assignment (client_uid, person_uid, role_uid, site_uid, date_from, date_to, status)
       select p.client_uid, p.uid, of.role_uid, of.site_uid, of.date_from, of.date_to, of.status
       from p, warden_assignment of where of.uid = $2 returning client_uid, uid, person_uid, site_uid
     ) insert into warden_sign_in (client_uid, event_uid, assignment_uid, person_uid, on_duty, on_duty_at)
     select a.client_uid, e.uid, a.uid, a.person_uid, true, now() from a join event e using (client_uid, site_uid)`,
    [org.clientUid, chief.assignmentUid, people],
  )
  return { org, persons, token: manager.token }
}

/** A status and a refusal of people in the middle of the list. */
const recordsIn = ({ org, persons, token }: Awaited<ReturnType<typeof crowdedEvent>>) =>
  persons.slice(500, 516).map((evacueePersonUid) => ({
    tokenHash: sha256(token),
    module: 'Floor_Evacuation',
    key: null,
    fingerprint: Buffer.from('same'),
    evacueePersonUid,
    floorUid: org.floorUid,
    status: 'safe' as const,
    onFloor: true,
    seenSecondsAgo: null,
    seenByPhoneMs: null,
    notedAt: '2026-11-27T09:00:00Z',
  }))

test('F35 FLOOR-17 FLOOR-50 a batch reads the rows of its own people, also in a database of several organisations', async () => {
  await using server = await startTestServer()
  const batches: ReturnType<typeof recordsIn>[] = []
  for (let nth = 0; nth < organisations; nth++) batches.push(recordsIn(await crowdedEvent(server)))
  await server.database.owner.pg.query('analyze') // as autovacuum does within a minute

  const { stored, read } = await server.database.hot.db.transaction().execute(async (tx) => {
    const stored: unknown[] = []
    for (const batch of batches)
      for (const statement of [statusRecords.statement(batch), refusalToggles.statement(batch)])
        stored.push(...(await statement.execute(tx)).rows)
    const read = await sql<{ table: string; rows: number }>`
      select relname as "table", seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables
      where relname in ('evacuee', 'warden_sign_in')`.execute(tx)
    return { stored, read: read.rows }
  })

  expect(stored).toHaveLength(2 * batches.flat().length)
  expect(read).toHaveLength(2)
  // a person is found, and found again to be changed
  for (const { table, rows } of read) expect(rows, table).toBeLessThanOrEqual(2 * stored.length)
})
