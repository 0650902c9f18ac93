import type { Warden, WardenOver } from '#server/testing/given-wardens.ts'
import type { TestServer } from '#server/testing/test-server.ts'

/** A running event in Tower A, whose floors assignments name. `join` brings a warden on duty, of the ground floor unless said otherwise. */
export async function givenCoverage(server: TestServer) {
  const org = await server.given.organisation()
  const { eventUid, manager, chief, signInUid: managerUid } = await server.runningEvent(org)
  const join = async (over: WardenOver = {}) => {
    const warden = await server.given.warden(org, over)
    await openFor(server, eventUid, warden)
    const call = await server.onDuty(warden)
    const signInUid = (await server.signInOf(eventUid, warden))?.uid as string
    return {
      call,
      warden,
      signInUid: signInUid as never,
      name: `${over.firstName ?? 'Warden'} ${await lastNameOf(server, warden)}`,
    }
  }
  return { org, eventUid, manager, managerUid, chief, join }
}

const lastNameOf = async ({ db }: TestServer, { personUid }: { personUid: string }) =>
  (
    await db
      .selectFrom('person')
      .select('lastName')
      .where('uid', '=', personUid as never)
      .executeTakeFirstOrThrow()
  ).lastName

const openFor = ({ db }: TestServer, eventUid: string, { clientUid, assignmentUid, personUid }: Warden) =>
  db
    .insertInto('wardenSignIn')
    .values({ clientUid, eventUid, assignmentUid, personUid } as never)
    .execute()
