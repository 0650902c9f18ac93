import { randomUUID } from 'node:crypto'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { hmac, sha256 } from '#server/platform/secrets.ts'
import { type DutyActor, journalActor } from '#server/wardens/actor.ts'
import type { listPacks, makePack } from '../calls.ts'
import { lockArrival } from './hazards.queries.ts'
import * as queries from './packs.queries.ts'

/** Packs of an event that open at one time. */
const mostPacks = 10
/** 132 bits. */
export const tokenLength = 22

/** The token of a pack, derived from its uid: it is kept nowhere, and a repeated request gets the same one. */
const tokenOf = (key: Uint8Array, uid: string) => hmac(key, uid).slice(0, tokenLength)

export const packUrl = (key: Uint8Array, appUrl: string, uid: string) => `${appUrl}/p/${tokenOf(key, uid)}`

export async function presentPacks(tx: Tx, { clientUid, event }: DutyActor): Promise<CallAnswer<typeof listPacks>> {
  const packs = await queries.listPackRows(tx, clientUid, event.uid)
  const readers = await queries.listReaderRows(tx, clientUid, event.uid)
  return {
    packs: packs.map(({ uid, by, madeAt, endsAt, ended, plans }) => ({
      uid,
      by,
      ended,
      plans,
      made_at: madeAt.toISOString(),
      ends_at: endsAt.toISOString(),
    })),
    readers: readers.map(({ packUid, kind, name, network, agent, firstAt, lastAt, times }) => ({
      pack: packUid,
      kind,
      name,
      network,
      browser: agent,
      times,
      first_at: firstAt.toISOString(),
      last_at: lastAt.toISOString(),
    })),
  }
}

/** Many at once make no pack too many. */
export async function make(
  tx: Tx,
  actor: DutyActor,
  key: Uint8Array,
  { hours, plans }: CallInput<typeof makePack>['body'],
): Promise<{ uid: string; ends: string }> {
  const { clientUid, event, signIn } = actor
  await lockArrival(tx, event.uid)
  if ((await queries.countLivePacks(tx, clientUid, event.uid)) >= mostPacks) throw new Refusal('too_many_links')
  const uid = randomUUID()
  const ends = await queries.insertPack(tx, {
    uid,
    clientUid,
    eventUid: event.uid,
    bySignInUid: signIn.uid,
    hours,
    plans: plans === 'yes',
    tokenHash: sha256(tokenOf(key, uid)),
  })
  await tell(tx, actor, 'pack_made', { pack: uid, ends: ends.toISOString() })
  return { uid, ends: ends.toISOString() }
}

/** A second press changes nothing. */
export async function end(tx: Tx, actor: DutyActor, uid: string): Promise<null> {
  const found = await queries.endPackRow(tx, { clientUid: actor.clientUid, eventUid: actor.event.uid, uid })
  if (!found) throw new Refusal('not_found')
  if (found.ended) await tell(tx, actor, 'pack_ended', { pack: uid })
  return null
}

const tell = (tx: Tx, actor: DutyActor, action: 'pack_made' | 'pack_ended', after: { pack: string; ends?: string }) =>
  record(tx, journalActor(actor), {
    action,
    subjectType: 'event',
    subjectUid: actor.event.uid,
    eventUid: actor.event.uid,
    after,
  })
