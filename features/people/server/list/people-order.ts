import { type RawBuilder, sql } from 'kysely'
import type { PersonUid } from '#kernel/ids.ts'
import type { PersonColumn } from '../../words.ts'
import { isHeld, type Order, type SignInRow } from '../people.queries.ts'

/** Who cannot sign in stands first: someone has to do something. */
const inOrder: readonly SignInRow['state'][] = ['cannot', 'invited', 'ready', 'none']

/** What a column is sorted by: the text that it shows, on `p`. */
const texts = {
  place: sql<string>`coalesce(
    (select b.name || ' - ' || f.name from floor f join building b on b.client_uid = f.client_uid and b.uid = f.building_uid
      where f.client_uid = p.client_uid and f.uid = p.primary_floor_uid),
    (select b.name from building b where b.client_uid = p.client_uid and b.uid = p.visiting_building_uid), '')`,
  kind: sql<string>`p.kind || coalesce(p.visit_date::text, '')`,
  groups: sql<string>`coalesce((select string_agg(g.name, ', ' order by g.name) from people_group_member m
    join people_group g on g.client_uid = m.client_uid and g.uid = m.group_uid and g.active
    where m.client_uid = p.client_uid and m.person_uid = p.uid), '')`,
  wardens: sql<string>`coalesce((select string_agg(distinct r.name, ', ' order by r.name) from warden_assignment a
    join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
    join site st on st.client_uid = a.client_uid and st.uid = a.site_uid
    where a.client_uid = p.client_uid and a.person_uid = p.uid and ${isHeld}), '')`,
  email: sql<string>`coalesce(p.email, '')`,
  mobile: sql<string>`coalesce(p.mobile, '')`,
}

interface Sort {
  column: 'name' | PersonColumn
  isDescending: boolean
}

/** `states` of all people in the list: only where it is sorted by them. */
export function orderOf({ column, isDescending }: Sort, states: readonly SignInRow[]): Order {
  if (column === 'name') return { by: null, isDescending }
  return { by: column === 'sign_in' ? byState(states) : texts[column], isDescending }
}

function byState(states: readonly SignInRow[]): RawBuilder<string> {
  const cases = inOrder.map((wanted, nth) => {
    const uids: PersonUid[] = states.filter(({ state }) => state === wanted).map(({ uid }) => uid)
    return sql`when p.uid = any (${uids}::uuid[]) then ${String(nth)}`
  })
  return sql<string>`(case ${sql.join(cases, sql` `)} else '' end)`
}
