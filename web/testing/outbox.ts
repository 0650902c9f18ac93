import type { FloorUid, PersonUid } from '#kernel/ids.ts'
import { floorStatusValue, type SafetyStatus } from '#kernel/vocabulary.ts'
import type { NewRecord, OutboxRecord } from '../outbox/core/safety-record.ts'
import { outbox } from '../outbox/outbox.ts'

export const someFloor = '00000000-0000-4000-8000-00000000f003' as FloorUid
export const personId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}` as PersonUid

/** 'Person n is safe' (or unknown, or in danger), as the floor screen hands it to the outbox. */
export const statusRecord = (n: number, status: SafetyStatus = 'safe'): NewRecord => ({
  kind: 'personStatus',
  body: { personId: personId(n), status: floorStatusValue[status], floorId: someFloor },
  wish: null,
  about: { id: personId(n), name: `Person ${n}` },
})

export const refusalRecord = (n: number, wish: boolean): NewRecord => ({
  kind: 'refusal',
  body: { person: personId(n), floorId: someFloor },
  wish,
  about: { id: personId(n), name: `Person ${n}` },
})

/** The phone's own outbox without what an earlier test left in it. */
export async function emptyOutbox() {
  outbox.start()
  // reads what lies on the disk
  await outbox.dismiss({ seq: -1 } as OutboxRecord)
  for (const record of outbox.records.get()) await outbox.dismiss(record)
}
