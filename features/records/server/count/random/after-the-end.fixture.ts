import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FloorStatusUid, FloorUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import type { LateRecord } from '../../../calls/late.ts'
import { keepLate } from '../../late/late.service.ts'
import type { Deed } from '../reference/deeds.fixture.ts'
import { type Late, pick } from './script.fixture.ts'
import { phoneOf, type Underway } from './stage.fixture.ts'

/** A record that a phone could not send before the end. Null: the product does not keep it. */
export async function sendLate(on: Underway, one: Late, end: number): Promise<Deed[] | null> {
  const { tx, uids, world, floors, signed, stage } = on
  const by = pick([...signed.keys()], one.who) as string
  const [person, floor] = [pick(world.people, one.whom)?.id, pick(floors, one.where)]
  const signIn = await signInOf(on, by)
  if (!signIn || !floor || !person) return null
  const seen = stage.moment(end - one.before).toISOString()
  const about = { key: randomUUID(), observed_at: seen, floor: uids.get(floor) as FloorUid }
  const records: Record<Late['what'], LateRecord> = {
    mark: {
      kind: 'personStatus',
      person: uids.get(person) as PersonUid,
      status: pick(['safe', 'in danger', 'unknown'], one.how) as string,
      ...about,
    },
    refuse: { kind: 'refusal', person: uids.get(person) as PersonUid, refused: one.how % 2 === 0, ...about },
    floor: {
      kind: 'floorStatus',
      floor_status: uids.get(pick(world.statuses, one.how % 4)?.id ?? '') as FloorStatusUid,
      ...about,
    },
  }
  const body = { WardenSignInUID: signIn, records: [records[one.what]] }
  const { kept } = await keepLate(tx, await phoneOf(on, by).actor(), body, null)
  return kept.length > 0 ? [{ did: 'late', by, at: end + one.after }] : null
}

/** The participation of a warden, which stays when the event is over. */
export async function signInOf({ tx, world, eventUid }: Pick<Underway, 'tx' | 'world' | 'eventUid'>, id: string) {
  const name = world.wardens.find((one) => one.id === id)?.name
  const { rows } = await sql<{ uid: SignInUid }>`
    select si.uid from warden_sign_in si join person p on p.uid = si.person_uid
    where si.event_uid = ${eventUid} and p.name = ${name}`.execute(tx)
  return rows[0]?.uid
}
