import type { AuthReply, rejoin } from '@evac/contract/calls/sign-in.ts'
import type { CallInput } from '@evac/contract/route.ts'
import type { UnguardedWrite } from '../../http/http.ts'
import type { Services } from '../../http/services.ts'
import { inClients } from '../../platform/db/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { hmac, newToken, seal, sha256 } from '../../platform/secrets.ts'
import type { Actor } from '../../wardens/actor.ts'
import { findCardByToken, listCardsOf } from '../report-in/report-in.service.ts'
import { holdAccounts, isNewSession, revokeSession } from './session.queries.ts'
import { openSession, presentAuth } from './session.service.ts'

/** How long the answer to a rejoin may be asked for again: a warden is out of the dead spot of a stairwell by then. */
const repeatMinutes = 5

/**
 * API-10, F7: the same request with the same key hears the same answer, though the token it brings has ended with the
 * first. Whatever else that token is brought for, it is dead (T3).
 */
export async function rejoinOnce(app: Services, write: UnguardedWrite<typeof rejoin>): Promise<AuthReply> {
  const token = nextToken(app, write)
  try {
    return await rejoinAs(app, await write.guard(), write.input.body, token)
  } catch (error) {
    const hasEnded = error instanceof Refusal && error.code === 'not_signed_in'
    const earlier = hasEnded ? await findEarlierAnswer(app, token) : undefined
    if (!earlier) throw error
    return earlier
  }
}

/** Worked out from the token before, the key and the request, so that nothing need be kept to answer it again. */
function nextToken({ secrets }: Services, { tokenHash, key, fingerprint }: UnguardedWrite<typeof rejoin>): string {
  if (!tokenHash || key === null) return newToken(secrets.access)
  const request = [tokenHash.toString('base64url'), fingerprint.toString('base64url'), key]
  return seal(secrets.access, hmac(secrets.rejoins, request.join('/')))
}

/** Only while the session it opened is new, lives, and may still act as its card. */
async function findEarlierAnswer(app: Services, token: string): Promise<AuthReply | undefined> {
  const actor = await app.findActor(sha256(token))
  if (!actor || !(await isNewSession(app.system, actor.sessionUid, repeatMinutes))) return undefined
  const cards = await listCardsOf(app.system, actor)
  const card = cards.find(({ assignmentUid }) => assignmentUid === actor.assignment?.uid)
  return card && presentAuth(card, token)
}

/**
 * AMB-038, API-11: a card token of this session, or the uid of one of its own persons. Never a credential by
 * itself: it comes with a live access token, which ends here; of two at once one wins. A report-in link opens its own card.
 */
async function rejoinAs(
  app: Services,
  actor: Actor,
  wanted: CallInput<typeof rejoin>['body'],
  token: string,
): Promise<AuthReply> {
  const { signInMethod, isReportInToken, linkSignInUid, expiresAt } = actor
  const cards = await listCardsOf(app.system, actor)
  const card =
    'oauth_token' in wanted
      ? findCardByToken(app.secrets.cards, actor.sessionUid, cards, wanted.oauth_token)
      : cards.find(({ personUid }) => personUid === wanted.person_uid)
  if (!card) throw new Refusal('unauthorized_access')
  return inClients(app.system, [card.clientUid], async (tx) => {
    const held = await holdAccounts(
      tx,
      actor.accountUids.map((uid) => ({ uid })),
    )
    // what a changed password has taken from the session meanwhile stays out
    const left = await revokeSession(tx, actor.sessionUid)
    const accountUids = left?.filter((uid) => held.includes(uid)) ?? []
    if (!accountUids.includes(card.accountUid)) throw new Refusal('not_signed_in')
    const session = { accountUids, signInMethod, isReportInToken, linkSignInUid, expiresAt }
    return openSession(tx, app.secrets.access, card, session, token)
  })
}
