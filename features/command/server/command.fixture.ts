import { sql } from 'kysely'
import type { SignInUid } from '#kernel/ids.ts'
import { sha256 } from '#server/platform/secrets.ts'
import type { Organisation } from '#server/testing/given-places.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { type Actor, onDuty } from '#server/wardens/actor.ts'
import { getCommand } from '../calls/command.ts'
import { watchCommand } from './watch-contact.service.ts'

const managing = ['Module_Event_Management', 'Module_Floor_Evacuation'] as const

/** A running event: its starter in command, two deputies and a warden of the first floor on duty. */
export async function commanded<More>(
  server: TestServer,
  over: { smsAllowed?: boolean; kind?: 'drill' | 'live' } = {},
  besides?: (org: Organisation) => Promise<More>,
) {
  const { given } = server
  const org = await given.organisation(over)
  const deputy = await given.warden(org, { role: 'Chief Warden', modules: managing, firstName: 'Dee' })
  const second = await given.warden(org, { role: 'Building Warden', modules: managing, firstName: 'Sam' })
  const floor = await given.warden(org, { firstName: 'Flo' })
  const more = (await besides?.(org)) as More
  const person = await given.occupant(org)
  const { kind } = over
  const event = await server.runningEvent(org, kind ? { kind } : {})
  const [asDeputy, asSecond, asFloor] = [
    await server.onDuty(deputy),
    await server.onDuty(second),
    await server.onDuty(floor),
  ]
  const signInOf = async (who: Pick<Warden, 'assignmentUid'>) =>
    (await server.signInOf(event.eventUid, who))?.uid as SignInUid
  const turnNow = async () => (await event.manager(getCommand, {})).turn
  return { ...event, org, deputy, second, floor, person, more, asDeputy, asSecond, asFloor, signInOf, turnNow }
}
export type Commanded = Awaited<ReturnType<typeof commanded>>

/** As if no one had heard of the warden for so many minutes. */
export async function unheardFor(
  { database }: TestServer,
  { eventUid }: Commanded,
  signInUid: SignInUid,
  minutes: number,
) {
  const { db } = database.owner
  const then = sql`now() - make_interval(mins => ${minutes})`
  await sql`update journal set recorded_at = ${then} where actor_sign_in_uid = ${signInUid}`.execute(db)
  await sql`update warden_contact set seen_at = ${then} where sign_in_uid = ${signInUid}`.execute(db)
  await sql`update warden_sign_in set on_duty_at = ${then} where uid = ${signInUid}`.execute(db)
  await sql`update command_turn set began_at = ${then} where event_uid = ${eventUid} and ended_at is null`.execute(db)
}

/** Who holds the token, on duty. */
export const actorOf = async ({ app }: TestServer, token: string) =>
  onDuty((await app.findActor(sha256(token))) as Actor)

/** The worker's part. */
export const watch = ({ db, app, config }: TestServer) =>
  watchCommand({ system: db, jobs: app.jobs, appUrl: config.appUrl, announce: () => undefined })
