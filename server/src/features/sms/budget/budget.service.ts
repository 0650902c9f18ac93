import type { Db, Tx } from '../../../platform/db.ts'
import type { TextKey } from '../sms.queries.ts'
import { addSpend, lockPots, markPaid, type Pot, type PotKey } from './budget.queries.ts'

/** Segments that a client may send on a day (UTC), unless its own row says otherwise. */
export type Budgets = Readonly<Record<Pot, number>>

/** What a text says that there was nothing left for. */
export const budgetUsedUp = 'The text budget for today is used up.'

export const potOf = (kind: string): Pot => (kind === 'sign_in_link' || kind === 'report_in_link' ? 'links' : 'alerts')

export interface Priced extends TextKey {
  kind: string
  segments: number
}

/** T10: pays for texts in their order, from pots kept apart. Answers those that there was nothing left for. */
export async function payFor(system: Db, texts: readonly Priced[], budgets: Budgets): Promise<ReadonlySet<Priced>> {
  if (texts.length === 0) return new Set()
  const byPot = Map.groupBy(texts, ({ clientUid, kind }) => `${clientUid}/${potOf(kind)}`)
  const pots = [...byPot.keys()].map(potKeyOf)
  return system.transaction().execute(async (trx) => {
    const tx = trx as Tx
    const unpaid = new Set<Priced>()
    const amounts: (PotKey & { segments: number })[] = []
    for (const { clientUid, pot, spent, ownLimit } of await lockPots(tx, pots)) {
      const limit = ownLimit ?? budgets[pot]
      let segments = 0
      for (const text of byPot.get(`${clientUid}/${pot}`) ?? []) {
        if (spent + segments + text.segments > limit) unpaid.add(text)
        else segments += text.segments
      }
      amounts.push({ clientUid, pot, segments })
    }
    await addSpend(tx, amounts)
    await markPaid(
      tx,
      texts.filter((text) => !unpaid.has(text)),
    )
    return unpaid
  })
}

function potKeyOf(key: string): PotKey {
  const [clientUid, pot] = key.split('/')
  return { clientUid: clientUid as string, pot: pot as Pot }
}
