import type { ClientUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { checklist } from '../../words.ts'
import { listItems } from './notes.queries.ts'

/** The organisation's own items in use, in their order, or the twelve. */
export async function askedItems(tx: Tx, clientUid: ClientUid): Promise<string[]> {
  const own = (await listItems(tx, clientUid)).filter(({ active }) => active).map(({ text }) => text)
  return own.length > 0 ? own : [...checklist]
}

/** True for items that were asked before, too: a phone may have waited for signal since. */
export async function isItem(tx: Tx, clientUid: ClientUid, item: string): Promise<boolean> {
  return checklist.some((text) => text === item) || (await listItems(tx, clientUid)).some(({ text }) => text === item)
}
