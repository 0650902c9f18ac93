import { expect } from 'vitest'
import { unknownCauses } from '#features/board/kinds.ts'
import { inClients } from '#server/platform/db/db.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { type Sweep, sweep } from './accounting.fixture.ts'
import { listCaused } from './causes.queries.ts'

/** Every mixture of status, own word, plan, messages and texts, each of them for every second to fourth person. */
async function mixEverything({ database, given }: TestServer, { org, eventUid, persons }: Sweep) {
  const run = (statement: string) => database.owner.pg.query(statement, [eventUid])
  await run(`update evacuee e set status = (array['safe', 'unknown', 'unknown', 'danger'])[1 + n % 4], status_at = now(),
      text_status_at = case when n % 3 = 0 then now() when n % 3 = 1 then now() - interval '1 minute' end,
      self_status_at = case when n % 5 = 0 then now() end, seen_before_at = case when n % 7 > 3 then now() end,
      floor_uid = case when n % 2 = 0 then floor_uid end
    from (select uid, row_number() over (order by uid)::int as n from evacuee where event_uid = $1) numbered
    where event_uid = $1 and numbered.uid = e.uid`)
  for (const person of persons.filter((_, n) => n % 3 === 1)) await given.peep(org, person)
  await run(`insert into message (client_uid, event_uid, kind, direction, evacuee_uid, text, recorded, written_at)
    select client_uid, event_uid, 'evacuee', direction, uid, 'Where?', case when n % 5 = 4 and direction = 'in' then 'safe' end,
      now() - case when n % 11 = 0 then interval '2 hours' else interval '0' end
    from (select *, row_number() over (order by uid)::int as n from evacuee where event_uid = $1) e
    join (values (1, 'out'), (2, 'in'), (3, 'out')) m (k, direction) on (n / 4 + k) % 5 = 0 or (n / 20 + k) % 6 = 0
    order by k`)
  await run(`insert into sms (client_uid, event_uid, kind, person_uid, body, status, reason, valid_until, created_at)
    select client_uid, event_uid, 'event_message', person_uid, 'Leave', (array['failed', 'delivered', 'expired', 'skipped'])[1 + (n + k) % 4],
      case when n % 2 = 0 then 'SMS messaging is not activated.' end, now(), now() + k * interval '1 second'
    from (select *, row_number() over (order by uid)::int as n from evacuee where event_uid = $1) e
    join generate_series(1, 2) k on (n / 3 + k) % 5 in (0, 1)`)
}

/** Each number by itself. */
async function recount({ database }: TestServer, { eventUid }: Sweep) {
  const { rows } = await database.owner.pg.query(
    `select e.place_uid as "placeUid", count(*) filter (where status <> 'safe' and has_plan)::int as plans,
       count(unanswered)::int as unanswered, min(unanswered) as "unansweredAt",
       count(*) filter (where status <> 'safe' and is_failed)::int as "textFailed",
       count(*) filter (where status = 'safe' and (coalesce(text_status_at = status_at, false) or coalesce(self_status_at = status_at, false)))::int as "ownWord"
     from evacuee e
     cross join lateral (
       select exists (select from peep p where p.person_uid = e.person_uid and p.active) as has_plan,
         (select case when direction = 'in' and recorded is null then written_at end from message m where m.evacuee_uid = e.uid
           order by seq desc limit 1) as unanswered,
         (select status in ('failed', 'expired') or status = 'skipped' and reason is null from sms s
           where s.event_uid = e.event_uid and s.person_uid = e.person_uid order by created_at desc, uid desc limit 1) as is_failed
     ) of_person
     where event_uid = $1 and active group by e.place_uid`,
    [eventUid],
  )
  return rows
}

test('REC-05 BOARD-10 the numbers of each place are those of a recount, and causes those of the lists', async ({
  server,
}) => {
  const s = await sweep(server, { persons: 96 })
  await mixEverything(server, s)

  const counts = await s.counts()

  const numbers = counts.map(({ causes: _, ...rest }) => rest)
  const expected = await recount(server, s)
  const sorted = <T extends { placeUid: unknown }>(all: T[]) =>
    all.toSorted((a, b) => (`${a.placeUid}` < `${b.placeUid}` ? -1 : 1))
  expect(sorted(numbers)).toEqual(sorted(expected))
  expect(counts).toHaveLength(2)
  const of = { clientUid: s.org.clientUid, eventUid: s.eventUid }
  for (const { placeUid, causes } of counts)
    for (const cause of unknownCauses) {
      const listed = await inClients(server.database.tenant.db, [of.clientUid], (tx) =>
        listCaused(tx, { ...of, causes: [cause], placeUids: [placeUid] }),
      )
      expect([cause, causes[cause]]).toEqual([cause, listed.length])
    }
  for (const cause of unknownCauses) expect(Math.max(...counts.map(({ causes }) => causes[cause]))).toBeGreaterThan(0)
})
