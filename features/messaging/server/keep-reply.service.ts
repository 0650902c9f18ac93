import { recordAnswer } from '#features/evacuation/server/answered-status.queries.ts'
import { acknowledge } from '#features/texts/server/message-texts.service.ts'
import { stayTexts } from '#kernel/action-words.ts'
import { groupOf } from '#kernel/actions.ts'
import type { ClientUid, EventUid, PersonUid } from '#kernel/ids.ts'
import type { Services } from '#server/http/services.ts'
import type { Answer } from '#server/platform/answers/read-answer.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import * as queries from './reply.queries.ts'
import { journalWardenMessages, lockSignIn } from './send.queries.ts'
import { noteEvacueeUnread } from './unread.service.ts'

export interface Within {
  jobs: Services['jobs']
  tx: Tx
}
export interface Reply {
  providerId: string
  /** As wardens read it. */
  text: string
  /** As it came. */
  raw: string
  mobile: string
  /** Null: now. */
  saidAt: Date | null
}

/** Everyone who has the number in the event that wrote to it last. */
export interface Senders {
  clientUid: ClientUid
  eventUid: EventUid
  country: string
  smsAllowed: boolean
  evacuees: readonly queries.AnsweringEvacuee[]
  wardens: readonly queries.AnsweringWarden[]
  people: readonly { personUid: PersonUid; name: string }[]
}

/** In the thread of each who has the number. `said` sets the status of one person. */
export async function keepInThreads(within: Within, from: Senders, reply: Reply, said: Answer | undefined) {
  const sharedWith = from.people.length > 1 ? namesOf(from, 200) : null
  let nth = 0
  // a text is one message: that of a number of several has a copy in each thread
  const copy = () => ({
    ...reply,
    providerId: nth++ === 0 ? reply.providerId : `${reply.providerId}/${nth}`,
    sharedWith,
  })
  let isSet = false
  for (const evacuee of from.evacuees.toSorted((a, b) => (a.evacueeUid < b.evacueeUid ? -1 : 1)))
    isSet = (await fromEvacuee(within, evacuee, copy(), said)) || isSet
  for (const warden of from.wardens) {
    const isEvacuee = from.evacuees.some(({ personUid }) => personUid === warden.personUid)
    if (!isEvacuee && warden.writerSignInUid) await fromWarden(within.tx, warden, warden.writerSignInUid, copy())
  }
  return { isSet, isShown: nth > 0 }
}

/** 'Ada Abara, Ben Bolt and 3 more' */
export function namesOf({ people }: Pick<Senders, 'people'>, most: number): string {
  const names = people.map(({ name }) => name)
  for (let count = names.length; count > 1; count--) {
    const more = names.length - count
    const text = names.slice(0, count).join(', ') + (more > 0 ? ` and ${more} more` : '')
    if (text.length <= most) return text
  }
  const more = names.length > 1 ? ` and ${names.length - 1} more` : ''
  return (names[0] ?? '').slice(0, most - more.length) + more
}

type StoredReply = Reply & { sharedWith: string | null }

/** Stores the text as unread in the person's thread. True if it set their status. */
async function fromEvacuee(
  { jobs, tx }: Within,
  evacuee: queries.AnsweringEvacuee,
  { providerId, text, sharedWith, saidAt }: StoredReply,
  said: Answer | undefined,
): Promise<boolean> {
  const { clientUid, eventUid, evacueeUid, personUid } = evacuee
  await queries.lockEvacuee(tx, clientUid, evacueeUid)
  const seq = await queries.insertEvacueeReply(tx, { clientUid, eventUid, evacueeUid, providerId, text, sharedWith })
  const actor = { clientUid, personUid, signInUid: null }
  await record(tx, actor, {
    action: 'evacuee_replied',
    subjectType: 'evacuee',
    subjectUid: personUid,
    eventUid,
    after: { message_id: seq },
  })
  const isSet = await applyAnswer(jobs, tx, evacuee, { seq, said, saidAt })
  await noteEvacueeUnread(tx, actor, { eventUid, evacueeUid, newSeq: seq })
  return isSet
}

const acknowledgement = {
  safe: 'Thank you. You are recorded as safe. Reply 2 if you need help.',
  danger: 'Thank you. You are recorded as in danger, and wardens can see it. Reply 1 when you are safe.',
  superseded: 'Thank you. You are still recorded as in danger, until a warden confirms that you are safe.',
}

interface Heard {
  seq: number
  said: Answer | undefined
  saidAt: Date | null
}

/** Applies an answer to a message that asked for one. True if it changed the person's status. */
async function applyAnswer(
  jobs: Services['jobs'],
  tx: Tx,
  evacuee: queries.AnsweringEvacuee,
  { seq, said, saidAt }: Heard,
) {
  const { clientUid, eventUid, evacueeUid, personUid, askedAt, askedSteadyAt } = evacuee
  if (!evacuee.asksForCode || !askedAt || !askedSteadyAt || (said !== 'safe' && said !== 'help')) return false
  const status = said === 'help' ? 'danger' : 'safe'
  const answered = { clientUid, evacueeUid, status, askedAt: askedSteadyAt, saidAt, messageId: seq } as const
  const answer = await recordAnswer(tx, answered)
  if (!answer) return false
  const isSet = !answer.isKnown && !answer.superseded
  if (isSet) await queries.updateRecorded(tx, clientUid, seq, status)
  if (answer.superseded && answer.stood !== 'danger') return false
  const isLeaving = groupOf(evacuee.action, evacuee.actionBefore) === 'leave'
  const told = { ...acknowledgement, ...(!isLeaving && { safe: stayTexts.safe, danger: stayTexts.danger }) }
  const body = told[answer.superseded ? 'superseded' : status]
  if (evacuee.smsAllowed) await acknowledge(jobs, tx, { clientUid, eventUid, body }, personUid, askedAt)
  return isSet
}

/** Stores the text as unread for the warden who last wrote to the sender. */
async function fromWarden(tx: Tx, warden: queries.AnsweringWarden, writerSignInUid: string, reply: StoredReply) {
  const { clientUid, eventUid, signInUid } = warden
  const { providerId, text, sharedWith } = reply
  await lockSignIn(tx, writerSignInUid)
  const seq = await queries.insertWardenReply(tx, {
    clientUid,
    eventUid,
    signInUid,
    writerSignInUid,
    providerId,
    text,
    sharedWith,
  })
  await journalWardenMessages(tx, clientUid, [seq], null)
}
