import type { EvacueeFilters } from '@evac/contract/messaging.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

const fewestSearched = 3

export async function listMatched(
  db: Db,
  scope: {
    clientUid: string
    eventUid: string
    /** Only people in this assignment's area. */
    assignmentUid: string | null
    floors: readonly string[] | null
    filters: EvacueeFilters
  },
): Promise<string[]> {
  const { clientUid, eventUid, assignmentUid, floors, filters } = scope
  const text = filters.search.trim().toLowerCase()
  const number = text.replace(/[\s+()-]/g, '').replace(/^0/, '')
  const holds = (column: string) => sql`strpos(lower(${sql.raw(column)}), ${text}) > 0`
  const { rows } = await sql<{ uid: string }>`
    select e.uid from evacuee e
    join person p on p.client_uid = e.client_uid and p.uid = e.person_uid
    join building b on b.client_uid = e.client_uid and b.uid = e.building_uid
    left join floor f on f.client_uid = e.client_uid and f.uid = e.floor_uid
    where e.client_uid = ${clientUid} and e.event_uid = ${eventUid} and e.active
      ${
        assignmentUid
          ? sql`and exists (select from assignment_location l where l.client_uid = e.client_uid
              and l.assignment_uid = ${assignmentUid} and (l.floor_uid = e.floor_uid or l.building_uid = e.building_uid))`
          : sql``
      }
      ${floors ? sql`and e.floor_uid = any (${floors}::uuid[])` : sql``}
      ${filters.display === 'all' ? sql`` : sql`and e.status = ${filters.display}`}
      ${filters.visitor ? sql`and e.visitor` : sql``}
      ${filters.refusal ? sql`and e.refused` : sql``}
      ${
        filters.assist
          ? sql`and exists (select from peep pe where pe.client_uid = e.client_uid and pe.person_uid = e.person_uid and pe.active)`
          : sql``
      }
      ${
        filters.message === 'unread'
          ? sql`and exists (select from message m where m.client_uid = e.client_uid and m.evacuee_uid = e.uid
              and m.direction = 'in' and m.read_at is null)`
          : sql``
      }
      ${
        filters.message === 'no reply'
          ? sql`and (select m.direction from message m where m.client_uid = e.client_uid and m.evacuee_uid = e.uid
              order by m.seq desc limit 1) = 'out'`
          : sql``
      }
      ${
        text.length >= fewestSearched
          ? sql`and (${holds(`p.first_name || ' ' || p.last_name`)} or ${holds(`b.name || coalesce(' - ' || f.name, '')`)}
              ${/^\d+$/.test(number) ? sql`or strpos(p.mobile, ${number}) > 0` : sql``})`
          : sql``
      }
    order by e.uid`.execute(db)
  return rows.map(({ uid }) => uid)
}
