import { recordAnswer } from '#features/evacuation/server/answered-status.queries.ts'
import type { sendSimulatedReply } from '#features/texts/calls/simulator.ts'
import { acknowledge, setRefusal } from '#features/texts/server/message-texts.service.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { CallReply } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import { inClients, type Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { inTurns } from '#server/platform/one-after-another.ts'
import { readAnswer, readRefusal } from './read-reply.ts'
import {
  type AnsweringEvacuee,
  type AnsweringWarden,
  claimReply,
  findAnsweringEvacuee,
  findAnsweringWarden,
  insertEvacueeReply,
  insertWardenReply,
  journalRefusal,
  lockEvacuee,
  updateRecorded,
  updateReplyOutcome,
} from './reply.queries.ts'
import { holdSite, isRunning, journalWardenMessages, lockSignIn } from './send.queries.ts'
import { noteEvacueeUnread } from './unread.service.ts'

/** An incoming text from an authenticated provider. */
export interface InboundText {
  /** Provider and id, such as 'twilio:SM1234'. A repetition is ignored. */
  providerId: string
  /** With country code, in the provider's spelling: '+61 491…' or digits only. */
  fromNumber: string
  text: string
  /** When it arrived, if it was queued. It answers only messages from before that. */
  receivedAt?: Date
  /** Set if the organisation has its own number. Only its people are then searched. */
  clientUid?: ClientUid | undefined
}

export type ReplyOutcome = CallReply<typeof sendSimulatedReply>['outcome']

const longestText = 1600
/** Limits concurrent replies, so that a flood of them leaves database connections for sign-ins. */
const inTurn = inTurns(2, 10_000)

/**
 * Processes an incoming text. Resolves after the commit. Throws only if the text should
 * be delivered again. A number can be forged, so every status set by a text is marked as such.
 */
export async function receiveReply(
  { system, jobs, announce }: Pick<Services, 'system' | 'jobs' | 'announce'>,
  inbound: InboundText,
): Promise<{ outcome: ReplyOutcome }> {
  const work = async (tx: Tx): Promise<ReplyOutcome> => {
    if (!(await claimReply(tx, inbound.providerId))) return 'repeated'
    const outcome = await take(jobs, tx, inbound)
    await updateReplyOutcome(tx, inbound.providerId, outcome)
    return outcome
  }
  const outcome = await inTurn(() => inClients(system, [], work))
  announce()
  return { outcome }
}

async function take(jobs: Services['jobs'], tx: Tx, inbound: InboundText): Promise<ReplyOutcome> {
  const { providerId, clientUid = null } = inbound
  const number = { mobile: inbound.fromNumber.replace(/\D/g, ''), clientUid }
  const reply = { providerId, text: inbound.text.replaceAll('\0', '').slice(0, longestText) }
  const refusal = readRefusal(reply.text)
  if (refusal && (await setRefusal(tx, number.mobile, refusal === 'stop')))
    await journalRefusal(tx, number, refusal === 'stop' ? 'sms_refused' : 'sms_accepted')

  const evacuee = await findAnsweringEvacuee(tx, number, inbound.receivedAt ?? null)
  const warden = evacuee ? undefined : await findAnsweringWarden(tx, number)
  const stored = evacuee ? await fromEvacuee(jobs, tx, evacuee, reply) : warden && (await fromWarden(tx, warden, reply))
  if (refusal) return refusal === 'stop' ? 'opted_out' : 'opted_in'
  return stored ?? 'unmatched'
}

interface Reply {
  providerId: string
  text: string
}

/** Stores the text as unread in the person's thread. Undefined if the event has just ended. */
async function fromEvacuee(jobs: Services['jobs'], tx: Tx, evacuee: AnsweringEvacuee, reply: Reply) {
  const { clientUid, eventUid, evacueeUid, personUid } = evacuee
  await holdSite(tx, eventUid)
  if (!(await isRunning(tx, eventUid))) return undefined
  await lockEvacuee(tx, clientUid, evacueeUid)
  const seq = await insertEvacueeReply(tx, { clientUid, eventUid, evacueeUid, ...reply })
  const actor = { clientUid, personUid, signInUid: null }
  await record(tx, actor, {
    action: 'evacuee_replied',
    subjectType: 'evacuee',
    subjectUid: personUid,
    eventUid,
    after: { message_id: seq },
  })
  const isSet = await applyAnswer(jobs, tx, evacuee, seq, reply.text)
  await noteEvacueeUnread(tx, actor, { eventUid, evacueeUid, newSeq: seq })
  return isSet ? 'status_set' : 'stored'
}

const acknowledgement = {
  safe: 'Thank you. You are recorded as safe. Reply 2 if you need help.',
  danger: 'Thank you. You are recorded as in danger, and wardens can see it. Reply 1 when you are safe.',
  superseded: 'Thank you. You are still recorded as in danger, until a warden confirms that you are safe.',
}

/** Applies an answer to a message that asked for one. True if it changed the person's status. */
async function applyAnswer(jobs: Services['jobs'], tx: Tx, evacuee: AnsweringEvacuee, seq: number, text: string) {
  const { clientUid, eventUid, evacueeUid, personUid, askedAt, askedSteadyAt } = evacuee
  const status = evacuee.asksForCode ? readAnswer(text) : undefined
  if (!status || !askedAt || !askedSteadyAt) return false
  const answered = { clientUid, evacueeUid, status, askedAt: askedSteadyAt, messageId: seq }
  const answer = await recordAnswer(tx, answered)
  if (!answer) return false
  const isSet = !answer.isKnown && !answer.superseded
  if (isSet) await updateRecorded(tx, clientUid, seq, status)
  const body = acknowledgement[answer.superseded ? 'superseded' : status]
  if (evacuee.smsAllowed) await acknowledge(jobs, tx, { clientUid, eventUid, body }, personUid, askedAt)
  return isSet
}

/** Stores the text as unread for the warden who last wrote to the sender. */
async function fromWarden(tx: Tx, warden: AnsweringWarden, reply: Reply) {
  const { clientUid, eventUid, signInUid, writerSignInUid } = warden
  await holdSite(tx, eventUid)
  if (!(await isRunning(tx, eventUid))) return undefined
  await lockSignIn(tx, writerSignInUid)
  const seq = await insertWardenReply(tx, { clientUid, eventUid, signInUid, writerSignInUid, ...reply })
  await journalWardenMessages(tx, clientUid, [seq], null)
  return 'stored'
}
