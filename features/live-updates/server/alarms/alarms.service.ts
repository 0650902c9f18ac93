import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Db } from '#server/platform/db/db.ts'
import { type DutyActor, hasFlag } from '#server/wardens/actor.ts'
import type { getAlarms } from '../../calls/alarms.ts'
import { type AlarmRow, findWatch, type Listener, listAlarms } from './alarms.queries.ts'

type Asked = CallInput<typeof getAlarms>['query']

/** What alarms this warden since the phone asked last, and which floors the phone has to watch. */
export async function alarmsSince(
  db: Db,
  actor: DutyActor,
  { since, raised }: Asked,
): Promise<CallAnswer<typeof getAlarms>> {
  const listener = listenerOf(actor)
  const { cursor, isVague, floors } = await findWatch(db, listener)
  const rows = since
    ? await listAlarms(db, listener, { since, raised: raised ?? since, upTo: isVague ? null : cursor })
    : []
  return { cursor, floors, places: rows.map(presentPlace), is_new: rows.some(({ isNew }) => isNew) }
}

/** Wardens of the site and event managers hear everything, whatever their own area. */
const listenerOf = (actor: DutyActor): Listener => ({
  clientUid: actor.clientUid,
  eventUid: actor.event.uid,
  personUid: actor.personUid,
  assignmentUid: actor.assignment.uid,
  isManager: actor.assignment.areaDomain === 'Site' || hasFlag(actor, 'Module_Event_Management'),
})

const presentPlace = (row: AlarmRow) => ({
  building: { id: row.buildingUid, name: row.buildingName },
  floor: row.floorUid && { id: row.floorUid, name: row.floorName ?? '' },
  danger: row.danger,
  refusals: row.refusals,
  floor_status: row.floorStatus,
})
