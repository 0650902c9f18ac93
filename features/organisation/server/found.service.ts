import type { ClientUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { TypeSet } from '../type-sets.ts'
import {
  hasOrganisation,
  insertDefaults,
  insertOrganisation,
  lockSetUp,
  type NewOrganisation,
} from './found.queries.ts'

/** Holds the set-up until the transaction ends. Throws `already_set_up` once there is an organisation. */
export async function holdSetUp(tx: Tx): Promise<void> {
  await lockSetUp(tx)
  if (await hasOrganisation(tx)) throw new Refusal('already_set_up')
}

/** An organisation with its first floor statuses, event types and roles. Throws `taken`. */
export async function foundOrganisation(tx: Tx, organisation: NewOrganisation, set?: TypeSet): Promise<ClientUid> {
  const clientUid = await insertOrganisation(tx, organisation)
  if (!clientUid) throw new Refusal('taken', 'This code is already in use.', ['code'])
  await insertDefaults(tx, clientUid, set)
  await record(tx, unattended(clientUid), {
    action: 'organisation_set_up',
    subjectType: 'organisation',
    subjectUid: clientUid,
  })
  return clientUid
}
