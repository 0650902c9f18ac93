import { keepTextReport, textSeen } from '#features/self-report/server/texts/text-reports.service.ts'
import type { sendSimulatedReply } from '#features/texts/calls/simulator.ts'
import { isPhoneNumber } from '#features/texts/server/inbound/sender.ts'
import { acknowledgeNumber, setRefusal } from '#features/texts/server/message-texts.service.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { CallReply } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import { type Answer, readAnswer } from '#server/platform/answers/read-answer.ts'
import { inClients, type Tx } from '#server/platform/db/db.ts'
import { inTurns } from '#server/platform/one-after-another.ts'
import { keepInThreads, namesOf, type Reply, type Senders, type Within } from './keep-reply.service.ts'
import { readRefusal } from './read-refusal.ts'
import * as queries from './reply.queries.ts'
import { holdSite, isRunning } from './send.queries.ts'

/** An incoming text from an authenticated provider. */
export interface InboundText {
  /** Provider and id, such as 'twilio:SM1234'. A repetition is ignored. */
  providerId: string
  /** Digits with country code, with or without '+'. A name or a short code as it came. */
  fromNumber: string
  text: string
  /** Pictures that came with it. */
  media?: number
  /** When it was sent, or arrived, if it was queued. It answers only messages from before that. */
  receivedAt?: Date
  /** Set if the organisation has its own number. Only its people are then searched. */
  clientUid?: ClientUid | undefined
}

/** What became of a text, for the operator: every accepted text ends in one of these. */
type TextOutcome =
  | 'shown'
  | 'unknown'
  | 'joined'
  | 'repeated'
  | 'refusal'
  | 'no_event'
  | 'not_a_phone'
  | 'overflow'
  | 'suspended'
  | 'closed'

export type ReplyOutcome = CallReply<typeof sendSimulatedReply>['outcome']
interface Taken {
  outcome: TextOutcome
  told: ReplyOutcome
}
const shown = (isSet: boolean): Taken => ({ outcome: 'shown', told: isSet ? 'status_set' : 'stored' })
const reported = (outcome: 'unknown' | 'joined'): Taken => ({ outcome, told: 'reported' })
const counted = (outcome: TextOutcome): Taken => ({ outcome, told: 'unmatched' })

const longestText = 1600
/** Limits concurrent replies, so that a flood of them leaves database connections for sign-ins. */
const inTurn = inTurns(2, 10_000)

type Receiving = Pick<Services, 'system' | 'jobs' | 'announce'> & Partial<Pick<Services, 'metrics'>>

/**
 * Processes an incoming text. Resolves after the commit. Throws only if the text should
 * be delivered again. A number can be forged, so every status set by a text is marked as such.
 */
export async function receiveReply(
  { system, jobs, announce, metrics }: Receiving,
  inbound: InboundText,
): Promise<{ outcome: ReplyOutcome }> {
  const work = async (tx: Tx): Promise<Taken> => {
    if (!(await queries.claimReply(tx, inbound.providerId))) return { outcome: 'repeated', told: 'repeated' }
    const taken = await take({ jobs, tx }, inbound)
    await queries.updateReplyOutcome(tx, inbound.providerId, taken.outcome)
    return taken
  }
  const { outcome, told } = await inTurn(() => inClients(system, [], work))
  metrics?.inboundTexts.inc({ outcome })
  announce()
  return { outcome: told }
}

async function take(within: Within, inbound: InboundText): Promise<Taken> {
  const { tx } = within
  const { providerId, clientUid = null, media = 0, receivedAt: saidAt = null } = inbound
  const mobile = inbound.fromNumber.replace(/^\+/, '')
  if (!isPhoneNumber(mobile)) return counted('not_a_phone')
  const number = { mobile, clientUid }
  // all of it is read: a call for help may stand at the end
  const raw = inbound.text.replaceAll('\0', '')
  const reply = { providerId, raw, text: shownText(raw.slice(0, longestText), media), mobile, saidAt }
  const refusal = readRefusal(raw)
  if (refusal && (await setRefusal(tx, mobile, refusal === 'stop')))
    await queries.journalRefusal(tx, number, refusal === 'stop' ? 'sms_refused' : 'sms_accepted')

  const stored = await fromKnown(within, number, reply)
  if (refusal) return { outcome: 'refusal', told: refusal === 'stop' ? 'opted_out' : 'opted_in' }
  return stored ?? fromUnknown(within, number, reply)
}

/** A picture is not shown, and a text without a visible sign would look like a fault. */
function shownText(raw: string, media: number): string {
  const isBlank = !/[^\s\p{Cf}]/u.test(raw)
  if (media > 0) return isBlank ? 'Picture, not shown here.' : `${raw}\nPicture, not shown here.`
  return isBlank ? 'Empty text.' : raw
}

async function findSenders(
  tx: Tx,
  number: { mobile: string; clientUid: ClientUid | null },
  saidAt: Date | null,
): Promise<Senders | undefined> {
  const allEvacuees = await queries.listAnsweringEvacuees(tx, number, saidAt)
  const allWardens = await queries.listAnsweringWardens(tx, number)
  const first = allEvacuees[0] ?? allWardens[0]
  if (!first) return undefined
  const { clientUid, eventUid, country, smsAllowed } = first
  const evacuees = allEvacuees.filter((one) => one.eventUid === eventUid)
  const wardens = allWardens.filter((one) => one.eventUid === eventUid)
  const people = [...new Map([...evacuees, ...wardens].map((one) => [one.personUid, one])).values()]
  return { clientUid, eventUid, country, smsAllowed, evacuees, wardens, people }
}

/** Undefined if no one in a running event has the number. */
async function fromKnown(
  within: Within,
  number: { mobile: string; clientUid: ClientUid | null },
  reply: Reply,
): Promise<Taken | undefined> {
  const { tx } = within
  const from = await findSenders(tx, number, reply.saidAt)
  if (!from) return undefined
  await holdSite(tx, from.eventUid)
  if (!(await isRunning(tx, from.eventUid))) return counted('no_event')
  const personUids = from.people.map(({ personUid }) => personUid)
  const sent = await queries.listSentTexts(tx, from, { mobile: reply.mobile, personUids })
  const said = readAnswer(reply.raw, { asked: from.evacuees.some(({ asksForCode }) => asksForCode), sent })
  const isShared = from.people.length > 1
  const isSet = await keepInThreads(within, from, reply, isShared ? undefined : said)
  const isCall = (said === 'help' && (isShared || !from.evacuees[0]?.asksForCode)) || said === 'maybe'
  if (isCall) await callForHelp(within, from, reply, said)
  else if (!isSet.isShown) await report(tx, from, reply, { says: 'words', unsure: false })
  return shown(isSet.isSet)
}

interface Says {
  says: 'help' | 'words'
  unsure: boolean
}

/** Among the reports, with the names of all who have the number. */
const report = (tx: Tx, from: Senders, { text, mobile }: Reply, says: Says) =>
  keepTextReport(tx, {
    clientUid: from.clientUid,
    eventUid: from.eventUid,
    way: 'text',
    mobile,
    words: text,
    elsewhere: false,
    ...says,
    name: namesOf(from, 100),
    evacueeUid: from.people.length === 1 ? (from.evacuees[0]?.evacueeUid ?? null) : null,
  })

/** Where a text sets no status, it is a call for help beside the people. */
async function callForHelp({ jobs, tx }: Within, from: Senders, reply: Reply, said: Answer): Promise<void> {
  await report(tx, from, reply, { says: 'help', unsure: said === 'maybe' })
  await tellSeen({ jobs, tx }, from, reply.mobile)
}

/** Once a number and event, so that two automatic responders do not answer each other forever. */
async function tellSeen(
  { jobs, tx }: Within,
  { clientUid, eventUid, country, smsAllowed }: Pick<Senders, 'clientUid' | 'eventUid' | 'country' | 'smsAllowed'>,
  mobile: string,
): Promise<void> {
  if (smsAllowed && !mobile.startsWith('0'))
    await acknowledgeNumber(jobs, tx, { clientUid, eventUid, body: textSeen(country) }, mobile)
}

/**
 * A number of no one in a running event. Where it may be for several events, each is shown a call for help, and other words
 * are only counted.
 */
async function fromUnknown(
  within: Within,
  number: { mobile: string; clientUid: ClientUid | null },
  { text, raw, mobile }: Reply,
): Promise<Taken> {
  const { tx } = within
  const events = await queries.listEventsForText(tx, number)
  const isOfSeveral = new Set(events.map(({ clientUid }) => clientUid)).size > 1
  const outcomes: TextOutcome[] = []
  for (const event of events) {
    const sent = await queries.listSentTexts(tx, event, { mobile, personUids: [] })
    const said = readAnswer(raw, { asked: false, sent })
    const isCall = said === 'help' || said === 'maybe'
    if (!isCall && events.length > 1) continue
    await holdSite(tx, event.eventUid)
    if (!(await isRunning(tx, event.eventUid))) continue
    const kept = await keepTextReport(tx, {
      clientUid: event.clientUid,
      eventUid: event.eventUid,
      way: 'text',
      mobile,
      words: text,
      elsewhere: isOfSeveral,
      says: isCall ? 'help' : 'words',
      unsure: said === 'maybe',
      name: event.name,
      evacueeUid: null,
    })
    outcomes.push(kept === 'new' ? 'unknown' : kept)
    if (kept === 'new' || kept === 'joined') await tellSeen(within, event, mobile)
  }
  const seen = (['unknown', 'joined'] as const).find((one) => outcomes.includes(one))
  if (seen) return reported(seen)
  const unseen = outcomes[0] ?? ((await queries.isOfSuspended(tx, number)) ? 'suspended' : 'no_event')
  return counted(unseen)
}
