import type { LogCheck } from '#features/log/calls.ts'
import type { RecordAddition } from '#features/records/calls/additions.ts'
import type { EventRecord } from '#features/records/calls/record.ts'
import type { ArrivedLate } from '#features/records/calls/records.ts'
import { listReached, requireRecord } from '#features/records/server/record-access.service.ts'
import { presentWithin } from '#features/records/server/records.service.ts'
import { type Action, groupOf } from '#kernel/actions.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { ExportTask } from './export-task.ts'

/** What all formats are made of: the record as its reader sees it. */
export interface RecordData {
  record: EventRecord
  additions: readonly RecordAddition[]
  isWhole: boolean
  /** How many arrived after the end, and those within reach. */
  arrived: { all: number; shown: readonly ArrivedLate[] }
  /** Places within reach, by their uids. */
  places: ReadonlySet<string>
  /** What the last check of the log found. */
  check: LogCheck | null
}

export async function readRecord(tx: Tx, { reach, eventUid, personUid }: ExportTask): Promise<RecordData> {
  const { isWhole } = await requireRecord(tx, reach, eventUid)
  const { record, additions, ...kept } = await presentWithin(tx, { personUid }, reach, eventUid)
  if (!record) throw new Error(`The record of the event ${eventUid} is not written.`)
  const arrived = { all: kept.arrived_late, shown: kept.late_records }
  return { record, additions, isWhole, arrived, check: kept.check, places: await listReached(tx, reach) }
}

/** CAP's word for the kind. */
export const capStatus = ({ kind }: Pick<EventRecord, 'kind'>) => (kind === 'drill' ? 'Exercise' : 'Actual')

/** CAP's words for what people were told to do, each once. Undefined: everyone was to leave, which a record does not say. */
export function capResponses({ actions }: Pick<EventRecord, 'actions'>): string[] | undefined {
  return actions && [...new Set(actions.map(({ action }) => responseOf(action)))]
}

function responseOf(action: Action): string {
  if (action === 'release') return 'AllClear'
  return groupOf(action) === 'leave' ? 'Evacuate' : 'Shelter'
}
