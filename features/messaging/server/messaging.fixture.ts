import { expect } from 'vitest'
import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import type { FilterSet } from '#features/evacuation/calls/safety.ts'
import { sendSimulatedReply } from '#features/texts/calls/simulator.ts'
import type { EventUid, PersonUid, SignInUid } from '#kernel/ids.ts'
import { defaultFilters } from '#kernel/kinds.ts'
import { findHorizon } from '#server/realtime/feed/feed.queries.ts'
import { recover } from '#server/realtime/feed/recovery.ts'
import type { Warden } from '#server/testing/given-wardens.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { getEvacueeThread, getWardenThread, sendToEvacuee, sendToWarden } from '../calls/messaging.ts'

type Caller = Awaited<ReturnType<TestServer['as']>>

/** A running event in Tower A: two wardens on duty (first and second floor), one who has not reported in, an occupant. */
export async function conversation(server: TestServer, over: { smsAllowed?: boolean; casMobile?: null } = {}) {
  const { given } = server
  const org = await given.organisation(over)
  const ann = await given.warden(org, { firstName: 'Ann' })
  const bob = await given.warden(org, { firstName: 'Bob', floorUid: org.floors[1] })
  const cas = await given.warden(org, {
    firstName: 'Cas',
    floorUid: org.floors[2],
    ...('casMobile' in over && { mobile: null }),
  })
  const mobile = `6155${ann.personUid.replace(/\D/g, '').slice(0, 8).padEnd(8, '7')}`
  const person = await given.occupant(org, { firstName: 'Olga', lastName: 'Orr', mobile })
  await codedTemplate(server, org.clientUid)
  const event = await server.runningEvent(org)
  const [asAnn, asBob] = [await server.onDuty(ann), await server.onDuty(bob)]
  const signInOf = async (who: Pick<Warden, 'assignmentUid'>) =>
    (await server.signInOf(event.eventUid, who))?.uid as SignInUid
  const signIns = { ann: await signInOf(ann), bob: await signInOf(bob), cas: await signInOf(cas) }
  return { ...event, org, ann, bob, cas, asAnn, asBob, person, mobile, signIns, signInOf }
}
/** The words of a template that asks for a coded answer. */
export const codedQuestion = 'Reply 1 if you are safe, 2 if you need help.'
const codedTemplate = ({ db }: TestServer, clientUid: string) =>
  db
    .insertInto('messageTemplate')
    .values({ clientUid, type: 'Evacuee', code: 'CODED', text: codedQuestion, automatedResponse: true })
    .execute()
export type Conversation = Awaited<ReturnType<typeof conversation>>

/** What Ann would send to Bob. */
export const toBob = ({ bob, signIns }: Conversation, message = 'Where are you?') => ({
  body: { message, receiverId: bob.assignmentUid, from: signIns.ann, to: signIns.bob },
})
export const toPerson = ({ person }: Conversation, message = 'Are you safe?', coded: 0 | 1 = 0) => ({
  body: { message, receiverId: person, automated_response_message: coded },
})

export const withWarden = async (call: Caller, { assignmentUid }: Pick<Warden, 'assignmentUid'>) => {
  const thread = await call(getWardenThread, { query: { toWarden: assignmentUid } })
  if ('error' in thread) throw new Error(thread.error)
  return thread
}
export const withEvacuee = async (call: Caller, person: PersonUid) => {
  const thread = await call(getEvacueeThread, { query: { toEvacuee: person } })
  if ('error' in thread) throw new Error(thread.error)
  return thread
}
export const annToBob = (c: Conversation, message?: string) => c.asAnn(sendToWarden, toBob(c, message))
export const askPerson = (c: Conversation, coded: 0 | 1 = 1) =>
  c.asAnn(sendToEvacuee, toPerson(c, codedQuestion, coded))

/** A text from a phone, through the simulator. */
export const replyFrom = (server: TestServer, mobile: string | null, text: string, id: string = crypto.randomUUID()) =>
  server.stranger(sendSimulatedReply, { body: { id, mobile: mobile ?? '', text } })

/** Texts of the event that carry messages, oldest first. */
export const messageTexts = ({ db }: TestServer, eventUid: EventUid) =>
  db
    .selectFrom('sms')
    .selectAll()
    .where('eventUid', '=', eventUid)
    .where('kind', '=', 'message')
    .orderBy('messageSeq')
    .execute()

/** What a channel was told, oldest first, by all that was committed until now: the feed waits for transactions in other databases, too. */
export async function publicationsOn({ db }: TestServer, channel: string) {
  await expect.poll(async () => (await findHorizon(db)).heldBackSeconds, { timeout: 10_000 }).toBeNull()
  const { publications } = await recover(db, channel, 0, 1000)
  return publications.map(({ json }) => JSON.parse(json) as Record<string, unknown>)
}

export const everyone = (over: Partial<FilterSet> = {}): FilterSet => ({ ...defaultFilters, area: 'everyone', ...over })

export const statusOf = async (server: TestServer, { eventUid, person }: Conversation) =>
  (await server.evacueeOf(eventUid, person))?.status

/** Ann records where she stands. */
export const record = (c: Conversation, status: string, headers: Record<string, string> = {}) =>
  c.asAnn(setPersonStatus, { body: { personId: c.person, status, floorId: c.org.floorUid } }, { headers })
