import type { TestServer } from './test-server.ts'

/** Number of queued texts or mails in each state. */
export function countStates(rows: readonly { status: string }[]) {
  const counted = Map.groupBy(rows, ({ status }) => status)
  return Object.fromEntries([...counted].map(([status, { length }]) => [status, length]))
}

/** As if the lease, or the wait for the next try, had run out. */
export const endLeases = ({ db }: TestServer, queue: 'sms' | 'mail') =>
  db
    .updateTable(queue)
    .set({ claimedUntil: new Date(Date.now() - 1000) })
    .where('claimedUntil', 'is not', null)
    .execute()

/** A sender that does as told and remembers what it was given. `receipt` names the nth that it took. */
export function recordingSender<Sent, Receipt>(
  answer: (sent: Sent, nth: number) => void | Promise<void>,
  receipt: (nth: number) => Receipt,
) {
  const taken: Sent[] = []
  let asked = 0
  async function send(sent: Sent) {
    await answer(sent, ++asked)
    return receipt(taken.push(sent))
  }
  return { taken, send }
}
