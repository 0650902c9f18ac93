import { setFloorStatus, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { setEvacueeStatus } from '#features/evacuation/calls/safety.ts'
import type { FloorStatusUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import { inClients } from '#server/platform/db/db.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { listContradictions } from './contradictions.queries.ts'
import { countByPlace } from './counts.queries.ts'

export type Caller = Awaited<ReturnType<TestServer['as']>>
type Started = Parameters<TestServer['runningEvent']>[1]

/** When someone was seen, as a phone tells it. */
export const seen = (secondsAgo: number) => ({
  headers: {
    'x-observed-at': new Date(Date.now() - secondsAgo * 1000).toISOString(),
    'x-sent-at': new Date().toISOString(),
  },
})

/** An event in Tower A that began an hour ago, with a status that means clear, and wardens of two floors on duty. */
export async function sweep(server: TestServer, over: Started & { smsAllowed?: boolean; persons?: number } = {}) {
  const { smsAllowed = true, persons: many = 4, ...started } = over
  const org = await server.given.organisation({ smsAllowed })
  const [ann, bob] = [
    await server.given.warden(org, { firstName: 'Ann' }),
    await server.given.warden(org, { firstName: 'Bob', floorUid: org.floors[1] }),
  ]
  const viewer = await server.given.warden(org, { modules: ['Module_Building_Evacuation_Status'] })
  const clear = await server.db
    .insertInto('floorStatus')
    .values({ clientUid: org.clientUid, code: 'CL', name: 'Clear', colour: 'green', displayOrder: 3, meansClear: true })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const persons = await server.given.occupants(org, many)
  const running = await server.runningEvent(org, started)
  const beganAt = new Date(Date.now() - 3_600_000)
  const event = server.db.updateTable('event').set({ startedAt: beganAt, beganAt })
  await event.where('uid', '=', running.eventUid).execute()
  const [asAnn, asBob] = [await server.onDuty(ann), await server.onDuty(bob)]
  const of = [org.clientUid, running.eventUid] as const
  return {
    ...{
      org,
      ann,
      bob,
      viewer,
      asAnn,
      asBob,
      persons: persons as [PersonUid, PersonUid, PersonUid, PersonUid],
      ...running,
    },
    /** By the warden, of the first floor unless said otherwise, now unless said otherwise. */
    record: (by: Caller, personId: PersonUid, status: string, ago = 0, floorId: FloorUid = org.floorUid) =>
      by(setPersonStatus, { body: { personId, status, floorId } }, seen(ago)),
    /** Without a floor. */
    tell: (by: Caller, evacueeId: PersonUid, status: string) => by(setEvacueeStatus, { body: { evacueeId, status } }),
    setFloor: (floorStatusId: string, ago = 0, floorId: FloorUid = org.floorUid) =>
      asAnn(setFloorStatus, { body: { floorId, floorStatusId: floorStatusId as FloorStatusUid } }, seen(ago)),
    clear: clear.uid as FloorStatusUid,
    counts: () => inClients(server.database.tenant.db, [org.clientUid], (tx) => countByPlace(tx, ...of)),
    contradictions: () => inClients(server.database.tenant.db, [org.clientUid], (tx) => listContradictions(tx, ...of)),
  }
}
export type Sweep = Awaited<ReturnType<typeof sweep>>

/** What contradicts what, without its times. */
export const kindsOf = async ({ contradictions }: Sweep) =>
  (await contradictions()).map(({ kind, subject }) => [kind, subject])
