import type { ClientUid } from '#kernel/ids.ts'
import { type Db, retrying } from '#server/platform/db/db.ts'
import { matchLostReceipts } from './lost-receipts.queries.ts'
import { insertReceipts, markTaken, type PartReceipt, settleTexts } from './receipts.queries.ts'
import type { TextKey } from './sms.queries.ts'
import type { Receipt } from './sms-gateway.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The reference of a text or call for the provider. */
export const referenceOf = ({ clientUid, uid }: TextKey) => `${clientUid}/${uid}`

/** The text or call of a reference. Null for what is none of ours. */
export function textOf(reference: string | undefined): TextKey | null {
  const [clientUid, uid, ...more] = reference?.split('/') ?? []
  if (!clientUid || !uid || more.length > 0 || !uuid.test(clientUid) || !uuid.test(uid)) return null
  return { clientUid: clientUid as ClientUid, uid }
}

/** Looks for the texts of receipts in another spelling. Returns how many receipts are given up. */
export async function findLostReceipts(system: Db): Promise<number> {
  const { texts, lost } = await retrying(() => matchLostReceipts(system))
  await retrying(() => settleTexts(system, texts))
  return lost
}

/** Stores a provider's receipts. Repeated, late and unknown ones change nothing. Returns how many texts changed. */
export async function noteReceipts(system: Db, receipts: readonly Receipt[]): Promise<number> {
  const taken = receipts.flatMap(({ gateway, providerId: id, reference, status }) => {
    const text = textOf(reference)
    return text && status === 'handed_over' ? [{ gateway, id, text }] : []
  })
  if (taken.length > 0) await retrying(() => markTaken(system, taken))
  const firsts = new Map<string, PartReceipt>()
  for (const { gateway, providerId: id, reference, status, reason = null } of receipts) {
    if (status === 'handed_over' || firsts.has(`${gateway} ${id}`)) continue
    firsts.set(`${gateway} ${id}`, { gateway, id, text: textOf(reference), state: status, reason })
  }
  if (firsts.size === 0) return 0
  const news = await retrying(() => insertReceipts(system, [...firsts.values()]))
  return retrying(() => settleTexts(system, news))
}
