import { randomUUID } from 'node:crypto'
import { findFirstCard, type Standing } from '#features/duty/server/report-in.service.ts'
import { holdBudget, spend } from '#features/texts/server/budget.service.ts'
import { queueSignInText } from '#features/texts/server/queue.queries.ts'
import { countSegments, fillLink } from '#features/texts/server/wording.service.ts'
import * as limits from '#kernel/limits.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Services } from '#server/http/services.ts'
import { inClients, type Tx } from '#server/platform/db/db.ts'
import { countNetworkWithin } from '#server/platform/db/network-limits.ts'
import { takeRecent } from '#server/platform/db/throttle.ts'
import type { Device } from '#server/platform/device.ts'
import { Refusal } from '#server/platform/errors.ts'
import { inStrangersTurn } from '#server/platform/fair-turns.ts'
import type { Network } from '#server/platform/network.ts'
import { hmac, sha256 } from '#server/platform/secrets.ts'
import { holdAccounts, lockAccounts } from '#server/wardens/accounts.ts'
import type { loginByMobile, verifyLoginByMobile } from '../calls/sign-in.ts'
import { linkText, tooManyLinkRequests } from '../words.ts'
import { sendLinkElsewhere } from './ask-elsewhere.service.ts'
import { countWrong, hold } from './guessing.service.ts'
import { bindToken, insertMobileToken, redeemMobileToken, voidMobileTokens } from './link.queries.ts'
import { endOfSession, endSession, openSession } from './session.service.ts'

const perPhone = { limit: limits.mobileAttempts, minutes: limits.mobileLock / 60_000 }
const dayMinutes = 1440
const perPhoneAndNetwork = { limit: 10, minutes: dayMinutes }
/** A line or a home may use a quarter of the budget for sign-in links, a site half. */
const shareOfNetwork = 4
const sharesOfBudget = { home: 1, site: 2 }

const texts = {
  unknown:
    'This mobile number is not registered with All Wardens. Please check the number or sign in with your email / username.',
  noGateway: 'The sign-in link could not be sent. Please try again.',
  noneLeft:
    'No more sign-in links can be sent today. Please sign in with your email / username, or ask an event manager for a report-in link.',
}

/** The token of a sign-in link, derived from its uid when needed. Only its hash is stored. */
export const mobileToken = (key: Uint8Array, tokenUid: string) => hmac(key, tokenUid)

type LinkRequested = CallAnswer<typeof loginByMobile>
const invalid = (popup_text: string) => ({ mobile: 'invalid' as const, popup_text })

/** Only known numbers are texted. Every request counts, for known numbers or not. */
export async function requestLink(app: Services, phone: string, network: Network): Promise<LinkRequested> {
  const since = performance.now()
  const sentOrWrong = await inStrangersTurn(
    network.site,
    async () => (await sendLinkHere(app, phone, network)) ?? (await countWrong(app, 'mobile-link', network)),
  )
  if (typeof sentOrWrong === 'object') return sentOrWrong
  const sentElsewhere = await sendLinkElsewhere(app, phone, network)
  if (sentElsewhere) return sentElsewhere
  // guessing numbers is delayed; a known number is texted, whatever else came from the address
  await hold(since, sentOrWrong)
  app.metrics.signIns.inc({ outcome: 'unknown_mobile' })
  return invalid(texts.unknown)
}

/** Returns nothing for a number that is unknown in this installation. */
export async function sendLinkHere(app: Services, phone: string, network: Network): Promise<LinkRequested | undefined> {
  const number = /^\+?(\d{8,15})$/.exec(phone)?.[1]
  if (number) await takeTry(app, number)
  if (app.config.smsGateways.length === 0) return invalid(texts.noGateway)
  if (!number) return undefined

  const outcome = await inClients(app.system, [], async (tx) => {
    const card = await findFirstCard(tx, await lockAccounts(tx, { mobile: number }))
    if (!card) return 'unknown'
    return (await sendLink(app, tx, card, { phone: number, network })) ? 'sent' : 'unpaid'
  })
  if (outcome === 'unknown') return undefined
  if (outcome === 'unpaid') {
    app.metrics.signIns.inc({ outcome: 'link_unpaid' })
    return invalid(texts.noneLeft)
  }
  app.metrics.signIns.inc({ outcome: 'link_sent' })
  return { mobile: 'valid', popup_text: '' }
}

async function takeTry({ system, clock }: Services, number: string): Promise<void> {
  if (!(await takeRecent(system, `mobile-link/${number}`, perPhone, clock.now())))
    throw new Refusal('too_many_attempts', tooManyLinkRequests, undefined, invalid(tooManyLinkRequests))
}

interface LinkRequest {
  phone: string
  network: Network
}

/** False if the daily budget does not cover the text. The earlier link then stays valid. */
async function sendLink(app: Services, tx: Tx, card: Standing, asked: LinkRequest): Promise<boolean> {
  const { phone } = asked
  const uid = randomUUID()
  const token = mobileToken(app.secrets.mobileLinks, uid)
  const segments = countSegments(fillLink(linkText, app.config.appUrl, 'token', token))
  if (!(await payForLink(app, tx, card.clientUid, asked, segments))) return false
  const now = app.clock.now()
  const expiresAt = new Date(now.getTime() + limits.mobileLink)
  await voidMobileTokens(tx, phone, now)
  await insertMobileToken(tx, { uid, accountUid: card.accountUid, phone, tokenHash: sha256(token), expiresAt })
  await queueSignInText(tx, {
    clientUid: card.clientUid,
    personUid: card.personUid,
    toMobile: phone,
    mobileTokenUid: uid,
    body: linkText,
    segments,
    validUntil: expiresAt,
  })
  await app.jobs.enqueue(tx, 'texts', { mobile_token_uid: uid })
  return true
}

/** Anybody may request a link, so one network can use up neither the daily budget nor a number's limit elsewhere. */
async function payForLink(
  { config, clock }: Services,
  tx: Tx,
  clientUid: string,
  { phone, network }: LinkRequest,
  segments: number,
): Promise<boolean> {
  const wanted = { clientUid, kind: 'sign_in_link', segments, texts: 1 }
  const { ofDay, left } = await holdBudget(tx, wanted, config.smsBudgets)
  const ofLine = Math.ceil(ofDay / segments / shareOfNetwork)
  const share = { limit: ofLine, minutes: dayMinutes, shares: sharesOfBudget }
  const now = clock.now()
  const isPaid =
    left >= segments &&
    (await countNetworkWithin(tx, `day/link/${phone}`, network, perPhoneAndNetwork, now)) &&
    (await countNetworkWithin(tx, `day/link/${clientUid}`, network, share, now))
  if (isPaid) await spend(tx, wanted)
  return isPaid
}

/** An unproved session ends by itself after this. */
const unprovedMs = 10 * 60_000

interface Opening {
  nonce: string | null
  /** The browser has asked for the link. */
  asked: boolean
  device: Device
}

/**
 * Signs in to all accounts with the number, once, within three minutes. A page that lost the answer may repeat with its nonce.
 * A program that opens links uses none up: until someone touches the page, another browser may open the link and ends the
 * session.
 */
export async function redeemLink(
  app: Services,
  token: string,
  { nonce, asked, device }: Opening,
): Promise<CallAnswer<typeof verifyLoginByMobile>> {
  const reply = await inClients(app.system, [], async (tx) => {
    const nonceHash = nonce === null ? null : sha256(nonce)
    const tokenHash = sha256(token)
    const redeemed = await redeemMobileToken(tx, { tokenHash, nonceHash, now: app.clock.now() })
    if (redeemed?.sessionUid) await endSession(tx, redeemed.sessionUid)
    const accountUids = redeemed ? await holdAccounts(tx, { mobile: redeemed.phone }) : []
    const card = await findFirstCard(tx, accountUids)
    if (!card) return { tokenStatus: 'expired' as const }
    const isProved = asked || nonce === null
    const expiresAt = isProved ? endOfSession(app.clock) : new Date(app.clock.now().getTime() + unprovedMs)
    const auth = await openSession(tx, app.secrets.access, card, {
      accountUids,
      signInMethod: 'Mobile',
      isReportInToken: false,
      linkSignInUid: null,
      device,
      expiresAt,
    })
    await bindToken(tx, { tokenHash, accessHash: sha256(auth.access_token), isProved })
    return { tokenStatus: 'valid' as const, ...auth }
  })
  app.metrics.signIns.inc({ outcome: reply.tokenStatus === 'valid' ? 'signed_in' : 'link_refused' })
  return reply
}
