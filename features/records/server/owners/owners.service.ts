import type { CallAnswer } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Actor } from '#server/wardens/actor.ts'
import type { findOwners, NewAction } from '../../calls/additions.ts'
import { type Reach, reachOf } from '../record-access.service.ts'
import * as queries from './owners.queries.ts'

/** People who may own an action, by name. */
export async function presentOwners(tx: Tx, actor: Actor, q: string): Promise<CallAnswer<typeof findOwners>> {
  return { people: await queries.findOwners(tx, await reachOf(tx, actor), q.trim()) }
}

/** The owner as named here: mails go to people within reach alone, and to the caller. Throws `not_found`. */
export async function requireOwner(
  tx: Tx,
  { personUid }: Actor,
  reach: Reach,
  owner: NewAction['owner'],
): Promise<NewAction['owner']> {
  const { person } = owner
  if (!person) return owner
  const name =
    person === personUid
      ? await queries.findName(tx, reach, person)
      : (await queries.findOwner(tx, reach, person))?.name
  if (name === undefined) throw new Refusal('not_found')
  return { person, name: name.slice(0, 120) }
}
