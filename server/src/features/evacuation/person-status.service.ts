import type {
  setPersonStatus as setPersonStatusCall,
  toggleRefusal as toggleRefusalCall,
} from '@evac/contract/calls/evacuation.ts'
import type { FloorUid, PersonUid } from '@evac/contract/ids.ts'
import type { CallContract, CallInput, CallReply } from '@evac/contract/route.ts'
import { readSafetyStatus, safetyStatuses } from '@evac/contract/vocabulary.ts'
import type { UnguardedWrite } from '../../http/http.ts'
import { findOwnEarlierReply, once } from '../../http/idempotency.ts'
import type { Services } from '../../http/services.ts'
import { inClients, type Tx } from '../../platform/db/db.ts'
import { record } from '../../platform/db/journal.ts'
import { Refusal } from '../../platform/errors.ts'
import { type DutyActor, journalActor, onDuty } from '../../wardens/actor.ts'
import { findPersonName, flipRefusal, statusRecords } from './person-status.queries.ts'

export type StatusReply = CallReply<typeof setPersonStatusCall>
type RefusalReply = CallReply<typeof toggleRefusalCall>

/** A status as a screen sends it. Without a floor the person's place does not change. */
interface StatusSent {
  personId: PersonUid
  status: string
  floorId: FloorUid | null
}

const statusList = new Intl.ListFormat('en-GB').format(safetyStatuses)

/** FLOOR-17, FLOOR-20, AMB-106, AMB-115: any warden on duty may record on any floor of the event. */
export async function recordPersonStatus<C extends CallContract>(
  { inBatch, oneStatement }: Pick<Services, 'inBatch' | 'oneStatement'>,
  call: C,
  { tokenHash, seenSecondsAgo, seenByPhoneMs, key, fingerprint, guard }: UnguardedWrite<C>,
  { personId, floorId, status: spelling }: StatusSent,
): Promise<StatusReply> {
  const wanted = readSafetyStatus(spelling)
  const change = {
    module: moduleOf(call),
    evacueePersonUid: personId,
    floorUid: floorId,
    seenSecondsAgo,
    seenByPhoneMs,
    key,
    fingerprint,
  }
  const recorded = wanted && tokenHash ? await inBatch(statusRecords, { tokenHash, ...wanted, ...change }) : undefined
  if (recorded?.claimed && recorded.isInEvent) {
    const { status, onFloor, superseded } = recorded
    return { status: 'success', person: { id: personId, status, on_floor: onFloor }, superseded }
  }
  // a repeat gets its earlier reply, even if the event has ended or the person or the warden has left it
  const repeated = await findOwnEarlierReply<StatusReply>(oneStatement, { tokenHash, key, fingerprint })
  if (repeated) return repeated

  onDuty(await guard())
  if (!wanted) throw new Refusal('invalid_request', `The status is none of ${statusList}.`, ['body/status'])
  throw new Refusal('not_found')
}

/** The statement requires the same module as the contract. */
function moduleOf({ policy }: CallContract): string {
  if (policy.access === 'public' || !policy.flag) throw new Error('a status is recorded by calls with a module only')
  return policy.flag.replace('Module_', '')
}

/** FLOOR-15, FLOOR-50: 'add' records the refusal, 'sub' removes it. */
export async function toggleRefusal(
  { db, oneStatement, clock }: Pick<Services, 'db' | 'oneStatement' | 'clock'>,
  { input, tokenHash, key, fingerprint, guard }: UnguardedWrite<typeof toggleRefusalCall>,
): Promise<RefusalReply> {
  try {
    const actor = onDuty(await guard())
    const write = key === null ? undefined : { personUid: actor.personUid, key, fingerprint }
    const flip = (tx: Tx) => once(tx, write, () => flipAndRecord(tx, actor, input.body, clock.now()))
    return await inClients(db, [actor.clientUid], flip)
  } catch (error) {
    // a repeat gets its earlier reply, as for a status
    const request = { tokenHash, key, fingerprint }
    const repeated = error instanceof Refusal && (await findOwnEarlierReply<RefusalReply>(oneStatement, request))
    if (!repeated) throw error
    return repeated
  }
}

async function flipAndRecord(
  tx: Tx,
  actor: DutyActor,
  { person, floorId }: CallInput<typeof toggleRefusalCall>['body'],
  now: Date,
): Promise<RefusalReply> {
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
