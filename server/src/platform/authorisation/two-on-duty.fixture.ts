import { type ModuleFlag, moduleFlags } from '@evac/contract/vocabulary.ts'
import type { Warden } from '../../testing/given-people.ts'
import type { TestServer } from '../../testing/test-server.ts'
import type { Uids } from './call-inputs.fixture.ts'

/** A running event, and two on duty in it: who asks with what is theirs, and a colleague. */
export async function givenTwoOnDuty(server: TestServer, modules: readonly ModuleFlag[] = moduleFlags) {
  const { given } = server
  const org = await given.organisation()
  const evacuee = await given.occupant(org)
  const [asker, colleague, receiver] = [
    await given.warden(org, { role: 'Chief Warden', modules }),
    await given.warden(org, { role: 'Chief Warden' }),
    await given.warden(org),
  ]
  const ownOffer = await given.assignment(asker, org, { role: 'Building Warden', status: 'Offered' })
  const { eventUid } = await server.runningEvent(org)
  const signInUid = async (warden: Warden) => (await server.signInOf(eventUid, warden))?.uid as string
  await server.onDuty(asker)
  await server.onDuty(colleague)
  const own: Uids = {
    evacuee,
    floor: org.floors[1],
    building: org.buildingUid,
    managedBuilding: org.buildingUid,
    floorStatus: org.statusUids[1],
    eventType: org.eventTypeUid,
    ownSignIn: await signInUid(asker),
    eventSignIn: await signInUid(receiver),
    eventWarden: receiver.assignmentUid,
    eventWardenSignIn: await signInUid(receiver),
    ownAssignment: asker.assignmentUid,
    ownOffer,
    ownPerson: asker.personUid,
    ownEmail: asker.email,
  }
  const { last } = await server.db
    .selectFrom('journal')
    .select(({ fn }) => fn.max('position').as('last'))
    .executeTakeFirstOrThrow()
  return { org, asker, colleague, own, colleagueSignInUid: await signInUid(colleague), since: last }
}
