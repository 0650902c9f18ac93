import type { FloorUid, PersonUid } from '#kernel/ids.ts'
import type { CallContract, CallReply } from '#kernel/route.ts'
import { readSafetyStatus, safetyStatuses } from '#kernel/vocabulary.ts'
import { recordOnDuty } from '#server/http/record-on-duty.ts'
import type { UnguardedWrite } from '#server/http/serve.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import type { setPersonStatus as setPersonStatusCall, toggleRefusal as toggleRefusalCall } from '../calls/evacuation.ts'
import { lockPeople } from './evacuee-snapshot.queries.ts'
import { refusalToggles, type StatusRecord, type StatusRecorded, statusRecords } from './person-status.queries.ts'

export type StatusReply = CallReply<typeof setPersonStatusCall>
type RefusalReply = CallReply<typeof toggleRefusalCall>

/** A status as a screen sends it. Without a floor the person's place does not change. */
interface StatusSent {
  personId: PersonUid
  status: string
  floorId: FloorUid | null
}

const statusList = new Intl.ListFormat('en-GB').format(safetyStatuses)
const wrongStatus = () => new Refusal('invalid_request', `The status is not one of ${statusList}.`, ['body/status'])

/** Any warden on duty may record on any floor of the event. */
export function recordPersonStatus<C extends CallContract>(
  services: Pick<Services, 'inBatch'>,
  call: C,
  write: UnguardedWrite<C>,
  { personId, floorId, status: spelling }: StatusSent,
): Promise<StatusReply> {
  const wanted = readSafetyStatus(spelling)
  const { seenSecondsAgo, seenByPhoneMs } = write
  const seen = { evacueePersonUid: personId, floorUid: floorId, seenSecondsAgo, seenByPhoneMs }
  return recordOnDuty(services, call, write, {
    kind: statusRecords,
    record: wanted && ((sent) => ({ ...sent, ...wanted, ...seen })),
    present: ({ status, onFloor, superseded }): StatusReply => ({
      status: 'success',
      person: { id: personId, status, on_floor: onFloor },
      superseded,
    }),
    ...(!wanted && { why: wrongStatus }),
  })
}

/** 'add' records the refusal, 'sub' removes it. */
export function toggleRefusal(
  services: Pick<Services, 'inBatch' | 'clock'>,
  call: typeof toggleRefusalCall,
  write: UnguardedWrite<typeof toggleRefusalCall>,
): Promise<RefusalReply> {
  const { person, floorId } = write.input.body
  const notedAt = services.clock.now().toISOString()
  const { seenSecondsAgo } = write
  return recordOnDuty(services, call, write, {
    kind: refusalToggles,
    record: (sent) => ({ ...sent, evacueePersonUid: person, floorUid: floorId, notedAt, seenSecondsAgo }),
    present: ({ action }): RefusalReply => ({ status: 'success', action }),
  })
}

/** Records of one statement: a planner without statistics takes seconds for 500. */
const mostAtOnce = 32

/**
 * The same records as part of a larger change, which sees everything: each statement names the client by the session. No two
 * may be about one person. All people are locked first, in the order of all locks. Returns the persons recorded; who is
 * missing was not allowed.
 */
export async function recordStatusesIn(
  tx: Tx,
  { clientUid, event }: Pick<DutyActor, 'clientUid' | 'event'>,
  records: readonly StatusRecord[],
): Promise<{ personUid: string; superseded: boolean }[]> {
  const people = records.map(({ evacueePersonUid }) => evacueePersonUid)
  await lockPeople(tx, { clientUid, eventUid: event.uid }, people)
  const recorded: { personUid: string; superseded: boolean }[] = []
  for (let from = 0; from < records.length; from += mostAtOnce) {
    const { rows } = await statusRecords.statement(records.slice(from, from + mostAtOnce)).execute(tx)
    const told = rows as (StatusRecorded & { n: number })[]
    recorded.push(...told.map(({ n, superseded }) => ({ personUid: people[from + n - 1] as string, superseded })))
  }
  return recorded
}
