import { sql } from 'kysely'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import { within } from '#server/administrators/reach.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { listSignInChanges, OwnSignInChanges } from '../calls.ts'
import { operator } from '../words.ts'
import { findChanges } from './sign-in-changes.queries.ts'
import { contactOf, getOrganisation } from './told.queries.ts'

const most = 20

type Found = Awaited<ReturnType<typeof findChanges>>[number]
const present = ({ uid, what, byName, at }: Found) => ({ uid, what, by: byName ?? operator, at: at.toISOString() })

/** What others changed in the caller's own sign-in. */
export async function presentOwnChanges(
  tx: Tx,
  { clientUid, personUid }: { clientUid: ClientUid; personUid: PersonUid },
  now: Date,
): Promise<OwnSignInChanges> {
  const of = sql<boolean>`p.uid = ${personUid} and c.by_person_uid is distinct from ${personUid}`
  const own = await findChanges(tx, clientUid, { of, now, limit: most })
  return { changes: own.map(present), contact: contactOf(await getOrganisation(tx, clientUid)) }
}

/** Changes within reach, and the caller's own. */
export async function presentChanges(
  tx: Tx,
  administrator: Administrator,
  now: Date,
): Promise<CallAnswer<typeof listSignInChanges>> {
  const { clientUid } = administrator
  const found = await findChanges(tx, clientUid, { of: within(administrator).person, now, limit: most })
  return {
    rows: found.map((one) => ({ ...present(one), person: { uid: one.personUid, name: one.name } })),
    total: found[0]?.total ?? 0,
    own: await presentOwnChanges(tx, administrator, now),
  }
}
