import type { Db, Tx } from '#server/platform/db/db.ts'
import { addSpend, type BudgetKey, type BudgetKind, type BudgetState, lockBudgets, markPaid } from './budget.queries.ts'
import type { TextKey } from './sms.queries.ts'

/** Segments that a client may send per day (UTC), unless it has its own limit. */
export type Budgets = Readonly<Record<BudgetKind, number>>

/** The reason stored with a text that the budget does not cover. */
export const budgetUsedUp = 'The text budget for today is used up.'

const budgetByKind: Partial<Record<string, BudgetKind>> = {
  sign_in_link: 'sign_in_links',
  report_in_link: 'links',
  offer: 'links',
}
export const budgetOf = (kind: string): BudgetKind => budgetByKind[kind] ?? 'alerts'

/** Texts of one client and kind that are about to be queued. `segments` is per text. */
export interface Wanted {
  clientUid: string
  kind: string
  segments: number
  texts: number
}

/** Segments per day and segments left in the budget for this kind. Locks the budget until the transaction ends. */
export async function holdBudget(tx: Tx, { clientUid, kind }: Pick<Wanted, 'clientUid' | 'kind'>, budgets: Budgets) {
  const pot = budgetOf(kind)
  const [{ spent, ownLimit }] = (await lockBudgets(tx, [{ clientUid, pot }])) as [BudgetState]
  const ofDay = ownLimit ?? budgets[pot]
  return { ofDay, left: Math.max(0, ofDay - spent) }
}

/** Charges the locked budget. A text that is not sent after all stays charged. */
export const spend = (tx: Tx, { clientUid, kind, segments, texts }: Wanted): Promise<void> =>
  addSpend(tx, [{ clientUid, pot: budgetOf(kind), segments: segments * texts }])

/**
 * Charges the budget for as many of these texts as it covers. Returns their number. Locks the budget until the
 * transaction ends, so call it late. Queue the texts with their segments, so that no worker charges them again.
 */
export async function reserve(tx: Tx, wanted: Wanted, budgets: Budgets): Promise<number> {
  if (wanted.texts === 0) return 0
  const { left } = await holdBudget(tx, wanted, budgets)
  const texts = Math.min(wanted.texts, Math.floor(left / wanted.segments))
  await spend(tx, { ...wanted, texts })
  return texts
}

export interface Priced extends TextKey {
  kind: string
  segments: number
}

/** Charges texts to their budgets, in order. Returns the texts that their budget does not cover. */
export async function payFor(system: Db, texts: readonly Priced[], budgets: Budgets): Promise<ReadonlySet<Priced>> {
  if (texts.length === 0) return new Set()
  const byBudget = Map.groupBy(texts, ({ clientUid, kind }) => `${clientUid}/${budgetOf(kind)}`)
  const keys = [...byBudget.keys()].map(budgetKeyOf)
  return system.transaction().execute(async (trx) => {
    const tx = trx as Tx
    const unpaid = new Set<Priced>()
    const amounts: (BudgetKey & { segments: number })[] = []
    for (const { clientUid, pot, spent, ownLimit } of await lockBudgets(tx, keys)) {
      const limit = ownLimit ?? budgets[pot]
      let segments = 0
      for (const text of byBudget.get(`${clientUid}/${pot}`) ?? []) {
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

function budgetKeyOf(key: string): BudgetKey {
  const [clientUid, pot] = key.split('/')
  return { clientUid: clientUid as string, pot: pot as BudgetKind }
}
