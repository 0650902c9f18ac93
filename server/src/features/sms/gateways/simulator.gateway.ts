import type { Db } from '../../../platform/db/db.ts'
import { insertSimulatedText } from '../simulator.queries.ts'
import type { Receipt, SmsGateway } from '../sms-gateway.ts'

/** Shows texts on the phones of the page `/simulator`. Each counts as delivered at once. */
export function createSimulator(system: Db, onReceipt: (receipt: Receipt) => Promise<unknown>): SmsGateway {
  const gateway = 'simulator'
  return {
    name: gateway,
    async send({ reference, to, body }) {
      const uid = reference.split('/')[1] as string
      const providerId = `simulated-${uid}`
      await insertSimulatedText(system, { uid, toMobile: to, body })
      await onReceipt({ gateway, providerId, reference, status: 'delivered' })
      return { gateway, providerIds: [providerId] }
    },
    async close() {},
  }
}
