import type { setPersonStatus as setPersonStatusCall } from '@evac/contract/evacuation.ts'
import type { CallReply } from '@evac/contract/route.ts'
import { readSafetyStatus } from '@evac/contract/vocabulary.ts'
import { type DutyActor, journalActor, onDuty } from '../../platform/actor.ts'
import { inClients, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { UnguardedWrite } from '../../platform/http.ts'
import { findEarlierReply } from '../../platform/idempotency.ts'
import { record } from '../../platform/journal.ts'
import type { Services } from '../../platform/services.ts'
import { findPersonName, flipRefusal, recordStatus } from './person-status.queries.ts'

type StatusReply = CallReply<typeof setPersonStatusCall>

/** FLOOR-17, FLOOR-20, AMB-106, AMB-115: any on-duty warden, any floor of the event; last observation of a danger stands. */
export async function setPersonStatus(
  { db, oneStatement }: Pick<Services, 'db' | 'oneStatement'>,
  { input, tokenHash, observedAt, key, fingerprint, guard }: UnguardedWrite<typeof setPersonStatusCall>,
): Promise<StatusReply> {
  const { personId, floorId, status: spelling } = input.body
  const wanted = readSafetyStatus(spelling)
  const change = { evacueePersonUid: personId, floorUid: floorId, observedAt, key, fingerprint }
  const [recorded] = wanted && tokenHash ? await oneStatement(recordStatus({ tokenHash, ...wanted, ...change })) : []
  if (recorded?.claimed && recorded.isInEvent) {
    const { status, onFloor, superseded } = recorded
    return { status: 'success', person: { id: personId, status, on_floor: onFloor }, superseded }
  }

  const { clientUid, personUid } = onDuty(await guard())
  if (!wanted) throw new Refusal('invalid_request', 'The status is none of safe, unknown and danger.', ['body/status'])
  // also when the person has left the event since: what was recorded with this key stays recorded
  const find = (tx: Tx) => findEarlierReply<StatusReply>(tx, { personUid, key: key ?? '', fingerprint })
  const earlier = key === null ? undefined : await inClients(db, [clientUid], find)
  if (!earlier) throw new Refusal('not_found')
  return earlier
}

/** FLOOR-15, FLOOR-50: 'add' notes the refusal, 'sub' takes it back. */
export async function toggleRefusal(
  tx: Tx,
  actor: DutyActor,
  { person, floorId }: { person: string; floorId: string },
  now: Date,
) {
  const name = await findPersonName(tx, actor.personUid)
  const flipped = await flipRefusal(tx, {
    clientUid: actor.clientUid,
    eventUid: actor.event.uid,
    evacueePersonUid: person,
    floorUid: floorId,
    actorPersonUid: actor.personUid,
    detail: `${now.toISOString()} ${name}`,
  })
  if (!flipped) throw new Refusal('not_found')
  await record(tx, journalActor(actor), {
    action: 'evacuee_refusal_set',
    subjectType: 'evacuee',
    subjectUid: person,
    eventUid: actor.event.uid,
    before: { refused: !flipped.refused, floor_uid: flipped.floorUid },
    after: { refused: flipped.refused, floor_uid: flipped.floorUid },
  })
  return { status: 'success' as const, action: flipped.refused ? ('add' as const) : ('sub' as const) }
}
