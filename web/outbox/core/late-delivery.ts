import type { LateRecord } from '#features/records/calls/late.ts'
import { sentAtHeader } from '#kernel/write-headers.ts'
import type { Phone } from './phone.ts'
import { failureOf } from './retry.ts'
import type { Delivery, OutboxRecord, RejectionReason } from './safety-record.ts'

/**
 * Sends a record whose event is over, to be kept in the record of the event. It is `refused` if it was not
 * seen in the event, the end is too long ago, or the event still runs. A note is taken after the end by its own call.
 */
export async function deliverLate(
  record: OutboxRecord,
  { call, now, onKept }: Pick<Phone, 'call' | 'now' | 'onKept'>,
  refused: { rejected: RejectionReason },
): Promise<Delivery> {
  if (!record.signIn || record.kind === 'note') return refused
  try {
    const { kept } = await call(
      'POST /api/v2/warden/late-records',
      { body: { WardenSignInUID: record.signIn, records: [lateOf(record)] } },
      { headers: { [sentAtHeader]: new Date(now()).toISOString() } },
    )
    if (!kept.includes(record.key)) return refused
    onKept?.()
    return { rejected: null }
  } catch (error) {
    const failure = failureOf(error)
    return failure === 'rejected' ? refused : failure
  }
}

function lateOf(record: Exclude<OutboxRecord, { kind: 'note' }>): LateRecord {
  const shared = { key: record.key, observed_at: new Date(record.observedAt).toISOString() }
  const { kind, body } = record
  switch (kind) {
    case 'floorStatus':
      return { ...shared, kind, floor: body.floorId, floor_status: body.floorStatusId }
    case 'refusal':
      return { ...shared, kind, person: body.person, refused: record.wish, floor: body.floorId }
    case 'personStatus':
      return { ...shared, kind, person: body.personId, status: body.status, floor: body.floorId }
    case 'wardenStatus':
      return { ...shared, kind, person: body.id, status: body.status, ...(body.floor && { floor: body.floor }) }
    case 'evacueeStatus':
      return { ...shared, kind, person: body.evacueeId, status: body.status }
  }
}
