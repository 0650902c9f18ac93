import { type RawBuilder, sql } from 'kysely'
import { changeAction } from '#features/events/calls/events.ts'
import type { ClientUid, EventUid, SignInUid } from '#kernel/ids.ts'
import type { Organisation } from '#server/testing/given-places.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import { takeDueSteps } from '#server/testing/reaches.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { type Choice, type ReachClass, reachClasses } from '../kinds.ts'

/** Every class until they answer. */
export const untilTheyAnswer = Object.fromEntries(reachClasses.map((one) => [one, 'until_they_answer']))

/** What the organisation has chosen for its classes. */
export const choose = (
  { db }: TestServer,
  clientUid: ClientUid,
  plans: Partial<Record<ReachClass, Choice>>,
  limits: { texts?: number; calls?: number } = {},
) =>
  db
    .updateTable('client')
    .set({ reach: JSON.stringify({ plans, texts: null, calls: null, ...limits }) })
    .where('uid', '=', clientUid)
    .execute()

/** A running event that has called three wardens of Tower A by text: Ann and Bob of the first floor, Cas of the second. */
export async function called(
  server: TestServer,
  plans: Partial<Record<ReachClass, Choice>> = untilTheyAnswer,
  over: {
    kind?: 'drill' | 'live'
    smsAllowed?: boolean
    before?: (wardens: Record<'ann' | 'bob' | 'cas', Warden>, org: Organisation) => unknown
  } = {},
) {
  const { kind = 'live', before, ...organisation } = over
  const org = await server.given.organisation({ siteName: 'Quay', ...organisation })
  await choose(server, org.clientUid, plans)
  const ann = await server.given.warden(org, { firstName: 'Ann' })
  const bob = await server.given.warden(org, { firstName: 'Bob' })
  const cas = await server.given.warden(org, { firstName: 'Cas', floorUid: org.floors[1] })
  await before?.({ ann, bob, cas }, org)
  const event = await server.runningEvent(org, { alertToWarden: 'yes', kind })
  const { eventUid } = event
  const signInOf = async (who: Warden) => (await server.signInOf(eventUid, who))?.uid as SignInUid
  return { ...event, org, ann, bob, cas, signInOf }
}
export type Called = Awaited<ReturnType<typeof called>>

/** Everyone of Tower A hides from now on. */
export const lockDown = ({ manager, eventUid, org }: Called) => {
  const said = { message: 'LOCKDOWN. Lock your door.', broadcastMessage: 'no', again: 'no' } as const
  const body = { event: eventUid, buildings: [org.buildingUid], action: 'lockdown' as const, base: null }
  return manager(changeAction, { body: Object.assign(body, said) }, withKey())
}

/** The worker looks when so many more seconds have passed since everything in the event began. */
export async function after(
  server: TestServer,
  { eventUid }: { eventUid: EventUid },
  seconds: number,
  can: Parameters<typeof takeDueSteps>[1] = {},
) {
  const earlier = sql`make_interval(secs => ${seconds})`
  const back = (column: string): RawBuilder<Date> => sql`${sql.ref(column)} - ${earlier}`
  await takeDueSteps(server, can)
  await server.db
    .updateTable('reach')
    .set({ beganAt: back('began_at'), nextAt: back('next_at') })
    .where('eventUid', '=', eventUid)
    .execute()
  await takeDueSteps(server, can)
}

/** How far the reaches of a person have come. */
export const reachesOf = ({ db }: TestServer, { personUid }: Pick<Warden, 'personUid'>) =>
  db.selectFrom('reach').selectAll().where('personUid', '=', personUid).orderBy('beganAt').execute()

export const stateOf = async (server: TestServer, who: Pick<Warden, 'personUid'>) => {
  const [first] = await reachesOf(server, who)
  return first && { state: first.state, reason: first.reason }
}

/** What could not be tried, in the order of the steps. */
export const notesOf = async ({ db }: TestServer, { personUid }: Pick<Warden, 'personUid'>) => {
  const rows = await db
    .selectFrom('ring')
    .innerJoin('reach', 'reach.uid', 'ring.reachUid')
    .select(['ring.way', 'ring.reason'])
    .where('reach.personUid', '=', personUid)
    .orderBy('ring.createdAt')
    .execute()
  return rows.map(({ way, reason }) => `${way}: ${reason}`)
}
