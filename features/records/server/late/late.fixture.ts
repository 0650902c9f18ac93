import { randomUUID } from 'node:crypto'
import { sentAtHeader } from '#kernel/write-headers.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { type LateRecord, sendLateRecords } from '../../calls/late.ts'
import { givenDrilled } from '../records.fixture.ts'

/** A drill that Ada took part in, and that has ended. */
export async function givenLate(server: TestServer) {
  const at = await givenDrilled(server)
  const eventUid = await at.start()
  const { call, mark } = await at.warden()
  const signInUid = (await server.signInOf(eventUid, at.ada))?.uid as never
  const seen = new Date()
  await at.end()
  const floor = at.org.floors[0]
  const late = (over: object = {}) =>
    ({
      kind: 'personStatus',
      key: randomUUID(),
      person: at.persons[0],
      status: 'in danger',
      floor,
      observed_at: seen.toISOString(),
      ...over,
    }) as LateRecord
  const send = (records: LateRecord[], by = call, sentAt = new Date()) =>
    by(
      sendLateRecords,
      { body: { WardenSignInUID: signInUid, records } },
      { headers: { [sentAtHeader]: sentAt.toISOString() } },
    )
  const entries = async () =>
    server.db
      .selectFrom('journal')
      .selectAll()
      .where('eventUid', '=', eventUid)
      .where('action', '=', 'late_record')
      .orderBy('position')
      .execute()
  return { ...at, eventUid, signInUid, call, mark, seen, floor, late, send, entries }
}
