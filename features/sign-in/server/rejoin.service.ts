import { findCardByToken, listCardsOf } from '#features/duty/server/report-in.service.ts'
import type { CallInput } from '#kernel/route.ts'
import type { UnguardedWrite } from '#server/http/serve.ts'
import type { Services } from '#server/http/services.ts'
import { inClients } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import { hmac, keyring, newToken, type Secrets, seal, sha256 } from '#server/platform/secrets.ts'
import type { Actor } from '#server/wardens/actor.ts'
import type { AuthReply, rejoin } from '../calls/sign-in.ts'
import { proveSession } from './link.queries.ts'
import { holdAccounts, isNewSession, revokeSession } from './session.queries.ts'
import { endOfSession, openSession, presentAuth } from './session.service.ts'

/** How long a rejoin may be repeated. By then a warden has left the dead spot of a stairwell. */
const repeatMinutes = 5

/**
 * A repeat with the same key gets the same answer, although the first request has ended its token. The token
 * is invalid for everything else.
 */
export async function rejoinOnce(app: Services, write: UnguardedWrite<typeof rejoin>): Promise<AuthReply> {
  try {
    return await rejoinAs(app, await write.guard(), write.input.body, nextToken(app.secrets, write))
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_signed_in') throw error
    // a node with another SECRET_KEY may have answered first
    for (const secrets of [app.secrets, ...app.secrets.former]) {
      const earlier = await findEarlierAnswer(app, nextToken(secrets, write))
      if (earlier) return earlier
    }
    throw error
  }
}

/** The new token, derived from the old one, the key and the request, so that a repeat needs no stored answer. */
function nextToken(secrets: Secrets, { tokenHash, key, fingerprint }: UnguardedWrite<typeof rejoin>): string {
  if (!tokenHash || key === null) return newToken(secrets.access)
  const request = [tokenHash.toString('base64url'), fingerprint.toString('base64url'), key]
  return seal(secrets.access, hmac(secrets.rejoins, request.join('/')))
}

/** A repeat is answered only while the new session is recent, valid, and may act as its card. */
async function findEarlierAnswer(app: Services, token: string): Promise<AuthReply | undefined> {
  const actor = await app.findActor(sha256(token))
  if (!actor || !(await isNewSession(app.system, actor.sessionUid, repeatMinutes))) return undefined
  const cards = await listCardsOf(app.hot, actor)
  const card = cards.find(({ assignmentUid }) => assignmentUid === actor.assignment?.uid)
  return card && presentAuth(card, token)
}

/**
 * Acts as another card, named by its card token or by the uid of one of the session's persons. Neither is
 * a credential: the call also needs a valid access token, which ends here. Of two concurrent calls one succeeds. A session
 * of a report-in link has only the link's card.
 */
async function rejoinAs(
  app: Services,
  actor: Actor,
  wanted: CallInput<typeof rejoin>['body'],
  token: string,
): Promise<AuthReply> {
  const { signInMethod, isReportInToken, linkSignInUid, expiresAt } = actor
  const cards = await listCardsOf(app.hot, actor)
  const card =
    'oauth_token' in wanted
      ? findCardByToken(keyring(app.secrets, 'cards'), actor.sessionUid, cards, wanted.oauth_token)
      : cards.find(({ personUid }) => personUid === wanted.person_uid)
  if (!card) throw new Refusal('unauthorized_access')
  return inClients(app.system, [card.clientUid], async (tx) => {
    const held = await holdAccounts(
      tx,
      actor.accountUids.map((uid) => ({ uid })),
    )
    // accounts that a changed password has removed from the session stay removed
    const left = await revokeSession(tx, actor.sessionUid)
    const accountUids = left?.accountUids.filter((uid) => held.includes(uid)) ?? []
    if (!left || !accountUids.includes(card.accountUid)) throw new Refusal('not_signed_in')
    const { device, unproved, addressLeftAt } = left
    // such a session serves its duty alone
    if (addressLeftAt && card.attendance !== 'on_duty') throw new Refusal('unauthorized_access')
    // a card was pressed, which a program that looks at links does not do
    if (unproved) await proveSession(tx, actor.sessionUid, expiresAt)
    const ends = unproved ? endOfSession(app.clock) : expiresAt
    const session = {
      accountUids,
      signInMethod,
      isReportInToken,
      linkSignInUid,
      device,
      expiresAt: ends,
      addressLeftAt,
    }
    return openSession(tx, app.secrets.access, card, session, token)
  })
}
