import type { EventUid } from '#kernel/ids.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { writeBroadcastPage } from './broadcast.queries.ts'

export const everyone = { broadcastMessage: 'yes' } as const
export const both = { ...everyone, alertToWarden: 'yes' } as const

/** Tower A with a warden, one without a mobile, and occupants; Tower B with a warden and an occupant. */
export async function twoTowers(server: TestServer, over: { smsAllowed?: boolean } = {}) {
  const org = await server.given.organisation(over)
  const { warden, occupant } = server.given
  const people = {
    ofA: await warden(org),
    mute: await warden(org, { mobile: null }),
    ofB: await warden(org, { floorUid: org.otherFloorUid }),
    inA: await occupant(org),
    silent: await occupant(org, { mobile: null }),
    inB: await occupant(org, { floorUid: org.otherFloorUid }),
  }
  return { org, ...people }
}

export async function textsOf({ db }: TestServer, eventUid: EventUid) {
  while (await writeBroadcastPage(db));
  return db.selectFrom('sms').selectAll().where('eventUid', '=', eventUid).execute()
}
export const receivers = (texts: Awaited<ReturnType<typeof textsOf>>, kind: string) =>
  texts
    .filter((text) => text.kind === kind)
    .map(({ personUid }) => personUid)
    .toSorted()
