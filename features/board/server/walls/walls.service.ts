import { randomUUID } from 'node:crypto'
import { requireManagedSite } from '#features/events/server/event-reach.service.ts'
import type { SiteUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { hmac, seal, sha256 } from '#server/platform/secrets.ts'
import { type Actor, journalActor } from '#server/wardens/actor.ts'
import type { listWalls, makeWall, WallLink } from '../../calls/walls.ts'
import * as queries from './wall.queries.ts'

/** Live links of a site. */
const mostLinks = 20

/** The token of a link, derived from its uid: it is kept nowhere, and a repeated request gets the same one. */
const tokenOf = (key: Uint8Array, uid: string) => seal(key, hmac(key, uid))

export const wallUrl = (key: Uint8Array, appUrl: string, uid: string) => `${appUrl}/wall#${tokenOf(key, uid)}`

export async function presentWalls(tx: Tx, actor: Actor, siteUid: SiteUid): Promise<CallAnswer<typeof listWalls>> {
  await requireManagedSite(tx, actor, siteUid)
  return { walls: (await queries.listWallRows(tx, actor.clientUid, siteUid)).map(present) }
}

const present = ({ uid, name, place, by, madeAt, expiresAt, seenAt }: queries.WallRow): WallLink => ({
  uid,
  name,
  place,
  by,
  made_at: madeAt.toISOString(),
  ends_at: expiresAt.toISOString(),
  seen_at: seenAt?.toISOString() ?? null,
})

/** Many at once make no link too many. Returns its uid. */
export async function keepWall(
  tx: Tx,
  actor: Actor,
  { site: siteUid, name: given, place, days }: CallInput<typeof makeWall>['body'],
  key: Uint8Array,
): Promise<string> {
  const { clientUid, personUid: byPersonUid } = actor
  await requireManagedSite(tx, actor, siteUid)
  await queries.lockWalls(tx, siteUid)
  if ((await queries.countWalls(tx, clientUid, siteUid)) >= mostLinks) throw new Refusal('too_many_links')
  const uid = randomUUID()
  const tokenHash = sha256(tokenOf(key, uid))
  await queries.insertWall(tx, { uid, clientUid, siteUid, name: given.trim(), place, tokenHash, byPersonUid, days })
  await journal(tx, actor, siteUid, { action: 'wall_made', after: { wall: uid, place, days } })
  return uid
}

/** At once. Ended twice, it ended once. */
export async function endWallLink(tx: Tx, actor: Actor, uid: string): Promise<{ status: 'success' }> {
  const siteUid = await queries.findWallSite(tx, actor.clientUid, uid)
  await requireManagedSite(tx, actor, siteUid)
  if (siteUid && (await queries.endWallRow(tx, actor.clientUid, uid)))
    await journal(tx, actor, siteUid, { action: 'wall_ended', after: { wall: uid } })
  return { status: 'success' }
}

interface WallEntry {
  action: 'wall_made' | 'wall_ended'
  after: { wall: string; place?: string; days?: number }
}

const journal = (tx: Tx, actor: Actor, siteUid: SiteUid, entry: WallEntry) =>
  record(tx, journalActor(actor), { ...entry, subjectType: 'site', subjectUid: siteUid })

/** Live links that only a former SECRET_KEY opens: their screens go dark without it. */
export async function countWallsOfOtherKeys(db: Db, key: Uint8Array): Promise<number> {
  const walls = await queries.listLiveTokens(db)
  return walls.filter(({ uid, tokenHash }) => !tokenHash.equals(sha256(tokenOf(key, uid)))).length
}
