import { Gauge } from 'prom-client'
import type { Config } from '../../config.ts'
import type { Db } from '../../platform/db.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { handOver } from '../../platform/outgoing.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { linkToken, writeBroadcasts } from '../events/event-texts.service.ts'
import { mobileToken } from '../sign-in/mobile-link.service.ts'
import { createSimulator } from './simulator.gateway.ts'
import {
  type ClaimedText,
  claimTexts,
  countTexts,
  markUnconfirmed,
  type Outcome,
  recordOutcomes,
  recordReceipt,
} from './sms.queries.ts'
import { noGateway, type Receipt, type SmsGateway } from './sms-gateway.ts'
import { TextProgress } from './text-progress.ts'

const batchSize = 50
/** A provider that says nothing for so long is asked again; less than the lease. */
const patienceMs = 8_000
const unconfirmedAfterMinutes = 15

export interface TextSending {
  system: Db
  gateway: SmsGateway
  secrets: Pick<Secrets, 'links' | 'mobileLinks'>
  appUrl: string
  onTrouble: (error: unknown) => void
}

/** The configured way out. */
export const createGateway = (system: Db, name: Config['smsGateway']): SmsGateway =>
  name === 'simulator' ? createSimulator(system, (receipt) => noteReceipt(system, receipt)) : noGateway

/**
 * Hands over every text that is due, 50 at a time, the most urgent first, and writes a page of what is to be broadcast in
 * between: the first are on their way while the last are not written. Any number of workers may do so at once.
 */
export async function sendDueTexts(sending: TextSending): Promise<void> {
  const progress = new TextProgress(sending.system)
  for (;;) {
    const isWriting = await writeBroadcasts(sending.system)
    const texts = await claimTexts(sending.system, batchSize)
    if (texts.length > 0)
      await recordOutcomes(sending.system, await Promise.all(texts.map((text) => send(sending, text))))
    await progress.note(texts)
    if (texts.length < batchSize && !isWriting) break
  }
  await progress.tell()
  await markUnconfirmed(sending.system, unconfirmedAfterMinutes)
}

/** Whatever may come of it: one text that cannot go out holds up no other. */
async function send(sending: TextSending, text: ClaimedText): Promise<Outcome> {
  const { clientUid, uid, toMobile, attempts, over } = text
  if (over) return { clientUid, uid, ...ends[over], providerId: null, retrySeconds: null }
  const handed = await handOver(
    async () => sending.gateway.send({ reference: `${clientUid}/${uid}`, to: toMobile, body: fillIn(sending, text) }),
    { attempts, patienceMs, unreachable: 'The provider could not be reached.', onTrouble: sending.onTrouble },
  )
  return { clientUid, uid, ...handed }
}

const ends = {
  'too late': { status: 'expired', reason: 'It could not be sent in time.' },
  'event ended': { status: 'skipped', reason: 'The event has ended.' },
  'not in the event': { status: 'skipped', reason: 'The warden is no longer part of the event.' },
  // not of a sign-in link: it was asked for a moment ago, from that very phone
  refused: { status: 'skipped', reason: 'SMS refused.' },
  'newer link': { status: 'skipped', reason: 'A newer link was requested.' },
} as const

/** AMB-033, AMB-036, AMB-094: the receiver's own link in the place kept for it. An event's message may hold the same word. */
function fillIn({ secrets, appUrl }: TextSending, { body, linkUid, mobileTokenUid }: ClaimedText): string {
  const place = body.lastIndexOf('{link}')
  const query = linkUid
    ? `reportInToken=${linkToken(secrets.links, linkUid)}`
    : mobileTokenUid && `token=${mobileToken(secrets.mobileLinks, mobileTokenUid)}`
  if (!query || place < 0) return body
  return `${body.slice(0, place)}${appUrl}/login?${query}${body.slice(place + '{link}'.length)}`
}

/** A provider's word about a text it took. Repeated, late and unknown ones change nothing (F11). */
export async function noteReceipt(system: Db, { reference, status, reason }: Receipt): Promise<boolean> {
  const [clientUid, uid] = reference.split('/')
  if (!clientUid || !uid) return false
  return recordReceipt(system, { clientUid, uid }, status, reason ?? null)
}

/** `evac_texts{state}`: read from the rows themselves, so every process shows the same. */
export function meterTexts(metrics: Metrics, system: Db): void {
  new Gauge({
    name: 'evac_texts',
    help: 'Texts written in the last 24 hours, by state; the same from every process',
    labelNames: ['state'],
    registers: [metrics.registry],
    async collect() {
      this.reset()
      for (const { status, count } of await countTexts(system)) this.set({ state: status }, count)
    },
  })
}
