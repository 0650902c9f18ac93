import { randomUUID } from 'node:crypto'
import type { ClientUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { sha256 } from '#server/platform/secrets.ts'
import { linkCode } from './link-codes.ts'
import { insertLinks, listWithoutLink } from './links.queries.ts'

/** Each of these has one link in the event, whatever number of messages names it. */
export async function makeLinks(
  tx: Tx,
  key: Uint8Array,
  clientUid: ClientUid,
  evacueeUids: readonly string[],
): Promise<void> {
  const without = await listWithoutLink(tx, clientUid, evacueeUids)
  const links = without.map((evacueeUid) => {
    const uid = randomUUID()
    return { evacueeUid, uid, tokenHash: sha256(linkCode(key, uid)) }
  })
  if (links.length > 0) await insertLinks(tx, clientUid, links)
}
