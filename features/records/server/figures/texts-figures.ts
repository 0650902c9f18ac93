import type { Tx } from '#server/platform/db/db.ts'
import type { EventRecord } from '../../calls/record.ts'
import type { Of } from '../count/facts.queries.ts'
import { countTexts, listAnswerTimes, listDeliveryTimes } from './texts.queries.ts'

/** Texts written from a moment on. One that was delivered had been handed over before. */
export async function textsOf(tx: Tx, of: Of, from: Date): Promise<Omit<EventRecord['texts'], 'allowed'>> {
  const rows = await countTexts(tx, of, from)
  const delivery = new Map((await listDeliveryTimes(tx, of, from)).map(({ kind, ...times }) => [kind, times]))
  const answers = new Map((await listAnswerTimes(tx, of, from)).map(({ kind, ...times }) => [kind, times]))
  const reasons = Map.groupBy(
    rows.filter(({ status }) => status === 'skipped'),
    ({ reason }) => reason ?? '',
  )
  const sum = (of: typeof rows) => of.reduce((all, { texts }) => all + texts, 0)
  return {
    purposes: [...Map.groupBy(rows, ({ kind }) => kind)].map(([purpose, of]) => {
      const count = (...states: string[]) => sum(of.filter(({ status }) => states.includes(status)))
      const [delivered, answer] = [delivery.get(purpose), answers.get(purpose)]
      return {
        purpose,
        written: sum(of),
        handed_over: count('handed_over', 'delivered', 'unconfirmed'),
        delivered: count('delivered'),
        failed: count('failed'),
        unconfirmed: count('unconfirmed', 'handed_over'),
        expired: count('expired'),
        skipped: count('skipped'),
        delivered_half: delivered?.half ?? null,
        delivered_most: delivered?.most ?? null,
        answered: answer?.answered ?? 0,
        answered_half: answer?.half ?? null,
        answered_most: answer?.most ?? null,
      }
    }),
    skipped_because: [...reasons].map(([reason, of]) => ({ reason, texts: sum(of) })),
    delivered_half: delivery.get(null)?.half ?? null,
    delivered_most: delivery.get(null)?.most ?? null,
  }
}
