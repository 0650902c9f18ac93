import type { Db, Tx } from '../../platform/db/db.ts'
import { addSpend, lockPots, markPaid, type Pot, type PotKey, type PotState } from './budget.queries.ts'
import type { TextKey } from './sms.queries.ts'

/** Segments that a client may send on a day (UTC), unless its own row says otherwise. */
export type Budgets = Readonly<Record<Pot, number>>

/** What a text says that there was nothing left for. */
export const budgetUsedUp = 'The text budget for today is used up.'

const pots: Partial<Record<string, Pot>> = { sign_in_link: 'sign_in_links', report_in_link: 'links' }
export const potOf = (kind: string): Pot => pots[kind] ?? 'alerts'

/** Texts of one client and kind that are about to be written, each of so many segments. */
export interface Wanted {
  clientUid: string
  kind: string
  segments: number
  texts: number
}

/** Segments in the pot that pays for texts of this kind: of the day, and left. It is held until the transaction ends. */
export async function holdPot(tx: Tx, { clientUid, kind }: Pick<Wanted, 'clientUid' | 'kind'>, budgets: Budgets) {
  const pot = potOf(kind)
  const [{ spent, ownLimit }] = (await lockPots(tx, [{ clientUid, pot }])) as [PotState]
  const ofDay = ownLimit ?? budgets[pot]
  return { ofDay, left: Math.max(0, ofDay - spent) }
}

/** Takes them out of the pot that is held. They are spent, also when a text is not sent in the end. */
export const spend = (tx: Tx, { clientUid, kind, segments, texts }: Wanted): Promise<void> =>
  addSpend(tx, [{ clientUid, pot: potOf(kind), segments: segments * texts }])

/**
 * T10, T32: pays for as many of these texts as it can, and answers how many. Others wait for the pot until the transaction
 * ends, so call it late. Write the texts with their segments: then no worker charges them again.
 */
export async function reserve(tx: Tx, wanted: Wanted, budgets: Budgets): Promise<number> {
  if (wanted.texts === 0) return 0
  const { left } = await holdPot(tx, wanted, budgets)
  const texts = Math.min(wanted.texts, Math.floor(left / wanted.segments))
  await spend(tx, { ...wanted, texts })
  return texts
}

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
