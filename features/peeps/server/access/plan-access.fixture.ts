import { endEvent } from '#features/events/calls/events.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { endInput } from '#server/testing/event-input.ts'
import { secretKey, type TestServer, withKey } from '#server/testing/test-server.ts'
import { openEventPlan } from '../../calls/plan-access.ts'
import type { PlanReason } from '../../kinds.ts'
import { tellWhosePlanWasOpened } from './send-notices.service.ts'

type Call = Awaited<ReturnType<TestServer['as']>>

/** A running event. Ada (ground) and Bea (level 1) have a plan, Cy (ground) has none. Fay is the warden of the ground floor, Guy of level 2. */
export async function eventWithPlans(server: TestServer, over: { kind?: 'live' | 'drill'; smsAllowed?: boolean } = {}) {
  const { given } = server
  const org = await given.organisation({ smsAllowed: over.smsAllowed ?? true })
  const ada = await given.occupant(org, { firstName: 'Ada', lastName: 'Abara' })
  const bea = await given.occupant(org, { firstName: 'Bea', lastName: 'Abara', floorUid: org.floors[1] })
  const cy = await given.occupant(org, { firstName: 'Cy', lastName: 'Abara' })
  for (const person of [ada, bea]) await given.peep(org, person)
  const fay = await given.warden(org, { firstName: 'Fay', floorUid: org.floors[0] })
  const guest = await given.warden(org, { firstName: 'Guy', floorUid: org.floors[2] })
  const builder = await given.warden(org, { role: 'Building Warden', buildingUid: org.buildingUid })
  const otto = await given.warden(org, { role: 'Chief Warden', firstName: 'Otto' })
  const plain = await given.warden(org, { modules: ['Module_Floor_Evacuation'] })
  const running = await server.runningEvent(org, { kind: over.kind ?? 'live' })
  const open = (person: PersonUid, { by = running.manager, reason = 'helping', whole = 'no', key }: Opening = {}) =>
    by(openEventPlan, { params: { personId: person }, body: { reason, whole } }, withKey(key))
  const viewsOf = async (person: PersonUid) =>
    (await server.journalOf(person)).filter(({ action }) => action === 'plan_viewed')
  const seen = async () =>
    (
      await server.db
        .selectFrom('planSeen')
        .select(['readerUid', 'personUid'])
        .where('eventUid', '=', running.eventUid)
        .where('way', '=', 'list')
        .execute()
    ).map(({ readerUid, personUid }) => `${readerUid} ${personUid}`)
  const end = () => running.manager(endEvent, endInput(org), withKey())
  return { org, ada, bea, cy, fay, guest, builder, otto, plain, ...running, open, viewsOf, seen, end }
}

interface Opening {
  by?: Call
  reason?: PlanReason
  whole?: 'yes' | 'no'
  key?: string
}

/** The worker's part, run when the test says so. */
export const tell = (server: TestServer, minutes = 16, hasMail = true) =>
  tellWhosePlanWasOpened(
    {
      system: server.database.system.db,
      jobs: server.app.jobs,
      hasMail,
      key: deriveSecrets(secretKey).planNotices,
    },
    new Date(Date.now() + minutes * 60_000),
  )
