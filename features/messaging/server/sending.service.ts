import { randomUUID } from 'node:crypto'
import type { FilterSet } from '#features/evacuation/calls/safety.ts'
import { matchedEvacuees } from '#features/evacuation/server/safety/safety.service.ts'
import { beginAsks } from '#features/reach/server/begin.queries.ts'
import { linkPlaceholder } from '#features/self-report/kinds.ts'
import { makeLinks } from '#features/self-report/server/links/links.service.ts'
import { noteRefusedTexts, textMessages } from '#features/texts/server/message-texts.service.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { requireFit } from '#server/platform/message-length.ts'
import { type DutyActor, journalActor } from '#server/wardens/actor.ts'
import type {
  countEvacueeGroup as countEvacueeGroupCall,
  SendReply,
  sendToEvacuee,
  sendToEvacueeGroup,
  sendToWarden,
  sendToWardenGroup,
} from '../calls/messaging.ts'
import { smsNotActivated } from '../words.ts'
import { presentMessage } from './present.ts'
import {
  findReceiver,
  holdSite,
  insertEvacueeMessages,
  insertWardenMessages,
  isRunning,
  journalWardenMessages,
  listReceivers,
  lockRecipients,
  type Receiver,
} from './send.queries.ts'
import { listMessages } from './thread.queries.ts'

const notSent = (message: string): SendReply => ({ status: 'not_sent', message })
const messageSent = (message: string) => ({ status: 'message_sent' as const, message })

const notTexted = (unpaid: number) =>
  unpaid > 0
    ? ` ${unpaid} ${unpaid === 1 ? 'was' : 'were'} not texted: the text budget for today is used up. Call instead.`
    : ''

const scopeOf = ({ clientUid, event }: DutyActor) => ({ clientUid, eventUid: event.uid })

/** Keeps the event from ending until the commit. False if it has just ended. */
export async function holdEvent(tx: Tx, { event }: DutyActor): Promise<boolean> {
  await holdSite(tx, event.uid)
  return isRunning(tx, event.uid)
}
const eventEnded = new Refusal('no_event').message

async function newMessages(tx: Tx, clientUid: ClientUid, seqs: readonly number[]): Promise<SendReply> {
  return { status: 'message_sent', newMessages: (await listMessages(tx, clientUid, seqs)).map(presentMessage) }
}

/** `{link}` becomes each recipient's own page when the text is sent. What is stored never has the address. */
async function makeLinksFor(
  { secrets }: Services,
  tx: Tx,
  { clientUid, text }: { clientUid: ClientUid; text: string },
  evacueeUids: readonly string[],
): Promise<void> {
  if (text.includes(linkPlaceholder)) await makeLinks(tx, secrets.selfLinks, clientUid, evacueeUids)
}

/** Evacuees get texts only, so a person who cannot be texted is refused. */
export async function messageEvacuee(
  app: Services,
  tx: Tx,
  actor: DutyActor,
  { message, receiverId, automated_response_message }: CallInput<typeof sendToEvacuee>['body'],
): Promise<SendReply> {
  requireFit(message, 'body/message')
  if (!(await holdEvent(tx, actor))) return notSent(eventEnded)
  const scope = scopeOf(actor)
  const receiver = await findReceiver(tx, scope, receiverId)
  if (!receiver) throw new Refusal('not_found')
  const obstacle = obstacleTo(actor, receiver)
  if (obstacle) return notSent(obstacle)

  const outgoing = { ...scope, senderSignInUid: actor.signIn.uid, text: message }
  const automatedResponse = automated_response_message === 1
  const seqs = await insertEvacueeMessages(tx, { ...outgoing, automatedResponse }, [receiver.evacueeUid])
  await makeLinksFor(app, tx, outgoing, [receiver.evacueeUid])
  if (automatedResponse) await beginAsks(tx, scope.clientUid, seqs)
  await textMessages(app, tx, outgoing, seqs)
  await record(tx, journalActor(actor), {
    action: 'evacuee_message_sent',
    subjectType: 'evacuee',
    subjectUid: receiverId,
    eventUid: scope.eventUid,
    after: { message_id: seqs[0] as number },
  })
  return newMessages(tx, scope.clientUid, seqs)
}

function obstacleTo({ smsAllowed }: DutyActor, { hasMobile, smsRefused }: Receiver): string | undefined {
  if (!smsAllowed) return smsNotActivated
  if (!hasMobile) return 'There is no mobile number on file for this person.'
  return smsRefused ? 'This person has refused SMS (answered STOP).' : undefined
}

/** Always in the app, and by text too if the warden is not on duty. */
export async function messageWarden(
  app: Services,
  tx: Tx,
  actor: DutyActor,
  { message, receiverId, from, to }: CallInput<typeof sendToWarden>['body'],
): Promise<SendReply> {
  requireFit(message, 'body/message')
  if (from !== actor.signIn.uid) throw mismatch('body/from')
  if (!(await holdEvent(tx, actor))) return notSent(eventEnded)
  const scope = scopeOf(actor)
  const [recipient] = await lockRecipients(tx, scope.eventUid, [receiverId])
  if (!recipient?.isOpen || recipient.personUid === actor.personUid) throw new Refusal('not_found')
  if (recipient.signInUid !== to) throw mismatch('body/to')
  const isOnDuty = recipient.status === 'on_duty'
  if (!isOnDuty && !actor.smsAllowed) return notSent(smsNotActivated)

  const outgoing = { ...scope, senderSignInUid: from, text: message }
  const seqs = (await insertWardenMessages(tx, outgoing, [to])).map(({ seq }) => seq)
  if (!isOnDuty) await textMessages(app, tx, outgoing, seqs)
  await journalWardenMessages(tx, scope.clientUid, seqs, actor.sessionUid)
  return newMessages(tx, scope.clientUid, seqs)
}

const mismatch = (field: string) =>
  new Refusal('invalid_request', 'The sign-ins do not fit the sender and the recipient.', [field])

/** Applies the rule to the current statuses, not the caller's. */
export async function messageWardenGroup(
  app: Services,
  tx: Tx,
  actor: DutyActor,
  { audience, from, message }: CallInput<typeof sendToWardenGroup>['body'],
): Promise<CallAnswer<typeof sendToWardenGroup>> {
  requireFit(message, 'body/message')
  if (from !== actor.signIn.uid) throw new Refusal('forbidden')
  if (!(await holdEvent(tx, actor))) throw new Refusal('no_event')
  const scope = scopeOf(actor)
  const wanted = new Map(audience.map((member) => [member.wardenAssignmentUid as string, member.wardenSignInUid]))
  const found = await lockRecipients(tx, scope.eventUid, [...wanted.keys()])
  const fits = found.filter(({ assignmentUid, signInUid }) => wanted.get(assignmentUid) === signInUid)
  const recipients = fits.filter(({ isOpen, personUid }) => isOpen && personUid !== actor.personUid)
  if (fits.length < new Set(audience.map(({ wardenSignInUid }) => wardenSignInUid)).size || recipients.length === 0)
    throw new Refusal('invalid_request', 'The audience is not of this event.', ['body/audience'])
  if (!actor.smsAllowed && recipients.some(({ status }) => status === 'off_duty')) throw new Refusal('sms_not_allowed')

  const outgoing = { ...scope, senderSignInUid: from, text: message, groupUid: randomUUID() }
  const sent = await insertWardenMessages(
    tx,
    outgoing,
    recipients.map(({ signInUid }) => signInUid),
  )
  const inApp = new Set(recipients.filter(({ status }) => status === 'on_duty').map(({ signInUid }) => signInUid))
  const byText = sent.filter(({ signInUid }) => !inApp.has(signInUid)).map(({ seq }) => seq)
  const unpaid = actor.smsAllowed ? await textMessages(app, tx, outgoing, byText) : 0
  await journalWardenMessages(
    tx,
    scope.clientUid,
    sent.map(({ seq }) => seq),
    actor.sessionUid,
  )
  return messageSent(`Message sent to ${sent.length} wardens.${notTexted(unpaid)}`)
}

/** Whom a message would reach now, and whom not. */
export async function countEvacueeGroup(
  db: Db,
  actor: DutyActor,
  filters: FilterSet,
): Promise<CallAnswer<typeof countEvacueeGroupCall>> {
  const receivers = await listReceivers(db, actor.clientUid, await matchedEvacuees(db, actor, filters))
  const { reached, refused } = divide(receivers)
  const without = receivers.length - reached.length - refused.length
  return { count: reached.length, without_mobile: without, sms_refused: refused.length }
}

export function divide(receivers: readonly Receiver[]) {
  const withMobile = receivers.filter(({ hasMobile }) => hasMobile)
  return {
    reached: withMobile.filter(({ smsRefused }) => !smsRefused),
    refused: withMobile.filter(({ smsRefused }) => smsRefused),
  }
}

/** A sender who saw 100 people texts 90 to 110, or is asked again. */
export const isOther = (now: number, seen: number) => Math.abs(now - seen) * 10 > seen

/** Computes the recipients again. Each one is texted once. */
export async function messageEvacueeGroup(
  app: Services,
  tx: Tx,
  actor: DutyActor,
  { filters, floors, automated_response_message, msg, count }: CallInput<typeof sendToEvacueeGroup>['body'],
): Promise<CallAnswer<typeof sendToEvacueeGroup>> {
  requireFit(msg, 'body/msg')
  if (!actor.smsAllowed) throw new Refusal('sms_not_allowed')
  if (!(await holdEvent(tx, actor))) throw new Refusal('no_event')
  const scope = scopeOf(actor)
  const matched = await matchedEvacuees(tx, actor, { ...filters, floors })
  const { reached, refused } = divide(await listReceivers(tx, scope.clientUid, matched))
  if (count !== undefined && isOther(reached.length, count)) throw new Refusal('audience_changed')
  return textReached(
    app,
    tx,
    actor,
    { text: msg, automatedResponse: automated_response_message === 1 },
    { reached, refused },
  )
}

/** Texts each of those reached once. Who refuses texts is noted as not texted. */
export async function textReached(
  app: Services,
  tx: Tx,
  actor: DutyActor,
  { text, automatedResponse }: { text: string; automatedResponse: boolean },
  { reached, refused }: ReturnType<typeof divide>,
) {
  const scope = scopeOf(actor)
  const groupUid = randomUUID()
  const seqs = await insertEvacueeMessages(
    tx,
    { ...scope, senderSignInUid: actor.signIn.uid, text, groupUid, automatedResponse },
    reached.map(({ evacueeUid }) => evacueeUid),
  )
  await makeLinksFor(
    app,
    tx,
    { ...scope, text },
    reached.map(({ evacueeUid }) => evacueeUid),
  )
  if (automatedResponse) await beginAsks(tx, scope.clientUid, seqs)
  const unpaid = await textMessages(app, tx, { ...scope, text }, seqs)
  await noteRefusedTexts(
    tx,
    { ...scope, body: text },
    refused.map(({ personUid }) => personUid),
  )
  await record(tx, journalActor(actor), {
    action: 'evacuee_group_messaged',
    subjectType: 'event',
    subjectUid: scope.eventUid,
    eventUid: scope.eventUid,
    after: { group_uid: groupUid, sent: seqs.length - unpaid, refused: refused.length },
  })
  return messageSent(`Message sent to ${seqs.length - unpaid} evacuees.${notTexted(unpaid)}`)
}
