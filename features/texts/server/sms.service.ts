import { type Db, retrying } from '#server/platform/db/db.ts'
import { asSent } from '../segments.ts'
import { collect } from './batch-receipts.ts'
import { BroadcastWriting } from './broadcast-writing.ts'
import { type Budgets, budgetOf, budgetUsedUp, type Priced, payFor } from './budget.service.ts'
import { insertParts, settleForgottenTexts, settleTexts } from './receipts.queries.ts'
import { findLostReceipts, referenceOf } from './receipts.service.ts'
import type { TextMetrics } from './sms.metrics.ts'
import {
  type ClaimedText,
  claimTexts,
  extendLeases,
  markUnconfirmed,
  type Outcome,
  updateOutcomes,
} from './sms.queries.ts'
import { GatewaysAway, type SmsGateway, TextRejected } from './sms-gateway.ts'
import { TextProgress } from './text-progress.ts'
import { countSegments, fillLink, fillSelfLink } from './wording.service.ts'

const batchSize = 100
/** Concurrent batches. While one waits for its slowest text, the other keeps the gateway busy. */
const lanes = 2
/** Handed-over texts are stored soon, so that few are sent twice if the worker is killed. */
const recording = { most: 25, withinMs: 20 }
/** Much shorter than the lease of a claimed text. */
const renewLeaseMs = 4_000
/** After that, wardens should call the person instead. A later receipt still counts. */
const unconfirmedAfterMinutes = 3
const longestRetrySeconds = 15

/** What the features that write texts provide. */
export interface TextSources {
  /** The token of a link, derived from its uid. */
  tokens: Readonly<Record<'reportIn' | 'signIn' | 'self' | 'planNotice', (uid: string) => Promise<string>>>
  /** Writes one page of a broadcast. False if none is left. */
  writeBroadcastPage: (system: Db) => Promise<boolean>
}

export interface TextSending extends TextSources {
  system: Db
  gateway: SmsGateway
  appUrl: string
  budgets: Budgets
  metrics?: Pick<TextMetrics, 'noteHandedOver' | 'noteOverBudget' | 'noteUnmatched'>
  onTrouble: (error: unknown) => void
  /** Refreshes the planner's statistics of messages and texts. Called after the first page of a broadcast. Does not wait. */
  refreshStatistics?: () => void
}

/** A claimed text with its final body. */
interface ReadyText extends ClaimedText {
  filled: string
}
type Recording = (outcome: Outcome) => Promise<void>

/**
 * Sends all due texts, the most urgent first, and writes broadcasts at the same time, so that sending starts before all
 * are written. Any number of workers may run at once. On `stopping`, the rest is left to the other workers.
 */
export async function sendDueTexts(sending: TextSending, stopping?: AbortSignal): Promise<void> {
  const { system } = sending
  const record = collect((outcomes: readonly Outcome[]) => recordOutcomes(system, outcomes), recording)
  const progress = new TextProgress(system)
  const writing = new BroadcastWriting(() => sending.writeBroadcastPage(system), stopping)
  writing.page.then((isWritten) => isWritten && sending.refreshStatistics?.()).catch(() => undefined)
  const lane = async () => {
    while (!stopping?.aborted) {
      const { page } = writing
      const texts = await claimTexts(system, batchSize)
      const isGoingOut = texts.length === 0 || (await sendAll(sending, texts, record))
      await progress.note(texts)
      if (texts.length < batchSize) writing.hurry()
      // if no gateway accepts any, the rest stays queued until the next sweep
      if ((texts.length < batchSize || !isGoingOut) && !(await page)) break
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  await progress.tell()
  await settleForgottenTexts(system)
  sending.metrics?.noteUnmatched(await findLostReceipts(system))
  await markUnconfirmed(system, unconfirmedAfterMinutes)
}

/** Sends one batch and extends its leases meanwhile, because a provider may be slow. False if every text stays queued. */
async function sendAll(sending: TextSending, texts: readonly ClaimedText[], record: Recording): Promise<boolean> {
  const renewal = setInterval(() => {
    extendLeases(sending.system, texts).catch(sending.onTrouble)
  }, renewLeaseMs)
  try {
    const ready = await Promise.all(
      texts.map(async (text) => ({ ...text, filled: asSent(text.prefix + (await fillIn(sending, text))) })),
    )
    const unpaid = await findUnpaid(sending, ready)
    const work = ready.map(async (text) => {
      const result = unpaid.has(text.uid) ? outcome(text, 'skipped', budgetUsedUp) : await send(sending, text)
      await record(result)
      return result.status !== 'queued'
    })
    return (await Promise.all(work)).includes(true)
  } finally {
    clearInterval(renewal)
  }
}

/** Charges texts that are sent for the first time. Returns the uids of those that the budget does not cover. */
async function findUnpaid(sending: TextSending, texts: readonly ReadyText[]): Promise<ReadonlySet<string>> {
  const priced = texts
    .filter(({ over, segments }) => over === null && segments === null)
    .map(
      ({ clientUid, uid, kind, filled }): Priced => ({
        clientUid,
        uid,
        kind,
        segments: countSegments(filled),
      }),
    )
  const unpaid = await payFor(sending.system, priced, sending.budgets)
  for (const [pot, { length }] of Map.groupBy(unpaid, ({ kind }) => budgetOf(kind))) {
    sending.metrics?.noteOverBudget(pot, length)
    sending.onTrouble(new Error(`a client's budget for ${pot} is used up: ${length} texts were not sent`))
  }
  return new Set([...unpaid].map(({ uid }) => uid))
}

async function recordOutcomes(system: Db, outcomes: readonly Outcome[]): Promise<void> {
  const handedOver = outcomes.flatMap(({ clientUid, uid, handover }) =>
    handover ? [{ clientUid, uid, handover }] : [],
  )
  await retrying(() => insertParts(system, handedOver))
  await retrying(() => updateOutcomes(system, outcomes))
  await retrying(() => settleTexts(system, handedOver))
}

/** Sends one text. Never throws, so that one text delays no other. */
async function send(sending: TextSending, text: ReadyText): Promise<Outcome> {
  if (text.over) return outcome(text, ends[text.over].status, ends[text.over].reason)
  try {
    const { toMobile: to, filled: body, validUntil } = text
    const handover = await sending.gateway.send({ reference: referenceOf(text), to, body, validUntil })
    sending.metrics?.noteHandedOver(budgetOf(text.kind), text.createdAt)
    return { ...outcome(text, 'handed_over', null), handover }
  } catch (error) {
    if (error instanceof TextRejected) return outcome(text, 'failed', error.message)
    if (!(error instanceof GatewaysAway)) sending.onTrouble(error)
    const retrySeconds = Math.min(2 ** text.attempts, longestRetrySeconds)
    return { ...outcome(text, 'queued', 'The provider could not be reached.'), retrySeconds }
  }
}

const ends = {
  'too late': { status: 'expired', reason: 'It could not be sent in time.' },
  'event ended': { status: 'skipped', reason: 'The event has ended.' },
  'became live': { status: 'skipped', reason: 'The drill became a live event.' },
  // wardens of the building, and people whose text was to be retried when the building left
  suspended: { status: 'skipped', reason: 'The organisation is suspended.' },
  'building left': { status: 'skipped', reason: 'The building has left the event.' },
  // a person who must evacuate again must not read that the last event is over
  'event again': { status: 'skipped', reason: 'They are in an event again.' },
  'not in the event': { status: 'skipped', reason: 'The warden is no longer part of the event.' },
  // not for sign-in links, which the holder of the phone has just requested
  refused: { status: 'skipped', reason: 'SMS refused.' },
  'newer link': { status: 'skipped', reason: 'A newer link was requested.' },
} as const

const outcome = ({ clientUid, uid }: ClaimedText, status: Outcome['status'], reason: string | null): Outcome => ({
  clientUid,
  uid,
  status,
  reason,
  handover: null,
  retrySeconds: null,
})

async function fillIn(
  { tokens, appUrl }: TextSending,
  { body, linkUid, mobileTokenUid, selfLinkUid, planNoticeUid }: ClaimedText,
): Promise<string> {
  if (linkUid) return fillLink(body, appUrl, 'reportInToken', await tokens.reportIn(linkUid))
  if (mobileTokenUid) return fillLink(body, appUrl, 'token', await tokens.signIn(mobileTokenUid))
  if (selfLinkUid) return fillSelfLink(body, appUrl, await tokens.self(selfLinkUid))
  if (!planNoticeUid) return body
  const token = await tokens.planNotice(planNoticeUid)
  return body.replace(/\{link\}$/, () => `${appUrl}/v/${token}`)
}
