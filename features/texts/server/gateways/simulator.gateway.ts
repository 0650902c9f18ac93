import type { Db } from '#server/platform/db/db.ts'
import { collect, receiptBatches } from '../batch-receipts.ts'
import { insertSimulatedTexts, type SimulatedText } from '../simulator.queries.ts'
import type { Receipt, SmsGateway } from '../sms-gateway.ts'

const gateway = 'simulator'
const providerIdOf = (uid: string) => `simulated-${uid}`

/** Shows texts and calls on the phones of the page `/simulator`. Each counts as delivered at once. */
export function createSimulator(
  system: Db,
  onReceipts: (receipts: readonly Receipt[]) => Promise<unknown>,
): SmsGateway {
  const deliver = collect<SimulatedText & { reference: string }>(async (texts) => {
    await insertSimulatedTexts(system, texts)
    await onReceipts(
      texts.map(({ uid, reference }) => ({ gateway, providerId: providerIdOf(uid), reference, status: 'delivered' })),
    )
  }, receiptBatches)
  return {
    name: gateway,
    async send({ reference, to, body }) {
      const uid = reference.split('/')[1] as string
      await deliver({ uid, toMobile: to, body, reference })
      return { gateway, providerIds: [providerIdOf(uid)] }
    },
    // the page `/simulator` shows the call itself
    call: async ({ reference }) => ({ gateway, providerIds: [providerIdOf(reference)] }),
    hangUp: async () => undefined,
    async close() {},
  }
}
