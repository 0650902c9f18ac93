import { sql } from 'kysely'
import { eventTallies, type PlaceUid } from '#features/evacuation/server/tally.queries.ts'
import { nobodyCounted, type StatusCounts } from '#kernel/vocabulary.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { nameInOrder } from '#server/platform/db/name-order.ts'
import { floorCoverage } from '#server/wardens/floor-coverage.ts'
import type { BoardPanel } from '../calls/board-panel.ts'
import type { BoardSource } from '../kinds.ts'
import { type BoardOf, setBy, statusSources } from './board.queries.ts'

interface PeopleRow extends StatusCounts {
  at: Date
  name: string
  refused: number
  building: BoardPanel['floor']['building']
}

export interface PanelRow extends PeopleRow {
  status: Pick<NonNullable<BoardPanel['status']>, 'name' | 'colour' | 'means_clear'>
  setAt: Date
  setBy: string | null
  setByRole: string | null
  source: BoardSource | null
  /** The floor, or its building if that is covered whole. */
  coveredAs: PlaceUid
  gapAt: Date | null
  claimBy: string | null
  claimedAt: Date | null
  offeredTo: string | null
  offeredAt: Date | null
}

/** The floor, of one moment. Undefined if it is not in the event. */
export async function findPanel(tx: Tx, of: BoardOf, floorUid: PlaceUid): Promise<PanelRow | undefined> {
  const { clientUid, eventUid } = of
  const { rows } = await sql<PanelRow>`
    with ${floorCoverage(of)}, ${statusSources(of)}, role_of as (
      -- of several assignments in the event, that of the floor first
      select si.person_uid, r.name, row_number() over (partition by si.person_uid
          order by exists (select from post where post.sign_in_uid = si.uid and post.place_uid = ${floorUid}) desc, si.created_at) as n
      from warden_sign_in si
      join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
      where si.client_uid = ${clientUid} and si.event_uid = ${eventUid}
    )
    select steady_now() as at, f.name, jsonb_build_object('id', b.uid, 'name', b.name) as building,
      jsonb_build_object('name', s.name, 'colour', s.colour, 'means_clear', s.means_clear) as status,
      coalesce(ef.observed_at, ef.updated_at) as set_at, setter.name as set_by, role_of.name as set_by_role, ${setBy} as source,
      t.safe, t.unknown, t.danger, coalesce(t.refusals, 0) as refused,
      coalesce(v.place_uid, ef.floor_uid) as covered_as, v.gap_since as gap_at, claimer.name as claim_by, v.claimed_at, asked.name as offered_to, o.offered_at
    from event_floor ef
    join joined j on j.building_uid = ef.building_uid
    join floor f on f.client_uid = ef.client_uid and f.uid = ef.floor_uid
    join building b on b.client_uid = ef.client_uid and b.uid = ef.building_uid
    join floor_status s on s.client_uid = ef.client_uid and s.uid = ef.floor_status_uid
    left join ${eventTallies(of)} on t.place_uid = ef.floor_uid
    left join person setter on setter.client_uid = ef.client_uid and setter.uid = ef.updated_by_person_uid
    left join role_of on role_of.person_uid = setter.uid and role_of.n = 1
    left join coverage v on v.place_uid in (ef.floor_uid, ef.building_uid)
    left join warden_sign_in cs on cs.client_uid = ef.client_uid and cs.uid = v.claimed_by_uid
    left join person claimer on claimer.client_uid = ef.client_uid and claimer.uid = cs.person_uid
    left join floor_offer o on o.client_uid = ef.client_uid and o.event_uid = ef.event_uid and o.place_uid = v.place_uid
      and o.answered_at is null and o.ends_at > now()
    left join warden_sign_in os on os.client_uid = o.client_uid and os.uid = o.to_sign_in_uid
    left join person asked on asked.client_uid = os.client_uid and asked.uid = os.person_uid
    where ef.client_uid = ${clientUid} and ef.event_uid = ${eventUid} and ef.floor_uid = ${floorUid}`.execute(tx)
  return rows[0] && { ...nobodyCounted, ...rows[0] }
}

/** A building's people on no floor. Undefined if the building is not in the event. */
export async function findPanelWithoutFloor(
  tx: Tx,
  of: BoardOf,
  buildingUid: PlaceUid,
): Promise<PeopleRow | undefined> {
  const { rows } = await sql<PeopleRow>`
    select steady_now() as at, 'No floor' as name, jsonb_build_object('id', b.uid, 'name', b.name) as building,
      coalesce(t.safe, 0) as safe, coalesce(t.unknown, 0) as unknown, coalesce(t.danger, 0) as danger, coalesce(t.refusals, 0) as refused
    from event_building eb
    join building b on b.client_uid = eb.client_uid and b.uid = eb.building_uid
    left join ${eventTallies(of)} on t.place_uid = eb.building_uid
    where eb.client_uid = ${of.clientUid} and eb.event_uid = ${of.eventUid} and eb.building_uid = ${buildingUid} and eb.active`.execute(
    tx,
  )
  return rows[0]
}

type PanelWarden = Omit<BoardPanel['wardens'][number], 'on_duty_at' | 'is_claimant' | 'sign_in'> & {
  signIn: BoardPanel['wardens'][number]['sign_in']
  onDutyAt: Date
  isClaimant: boolean
}

/** Wardens on duty who look after the place, and who claimed it, by name. */
export async function listPanelWardens(tx: Tx, of: BoardOf, coveredAs: PlaceUid): Promise<PanelWarden[]> {
  const { clientUid, eventUid } = of
  const { rows } = await sql<PanelWarden>`
    with ${floorCoverage(of)}
    select * from (
      select si.assignment_uid as assignment, si.uid as sign_in, p.uid as person, p.name, r.name as role,
        si.on_duty_at, row_number() over (order by ${nameInOrder}, si.uid) as place,
        exists (select from claim where claim.sign_in_uid = si.uid and claim.place_uid = ${coveredAs} and claim.stands) as is_claimant,
        exists (select from post where post.sign_in_uid = si.uid and post.place_uid = ${coveredAs}) as is_own
      from warden_sign_in si
      join person p on p.client_uid = si.client_uid and p.uid = si.person_uid
      join warden_assignment a on a.client_uid = si.client_uid and a.uid = si.assignment_uid
      join warden_role r on r.client_uid = a.client_uid and r.uid = a.role_uid
      where si.client_uid = ${clientUid} and si.event_uid = ${eventUid} and si.on_duty
    ) w where is_claimant or is_own order by place`.execute(tx)
  return rows.map(({ assignment, signIn, person, name, role, onDutyAt, isClaimant }) => ({
    assignment,
    signIn,
    person,
    name,
    role,
    onDutyAt,
    isClaimant,
  }))
}
