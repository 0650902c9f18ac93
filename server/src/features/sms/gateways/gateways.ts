import type { Config } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { JobQueue } from '../../../platform/db/jobs.ts'
import { keepInboundText } from '../inbound/inbound.service.ts'
import { noteReceipts } from '../receipts.service.ts'
import type { SmsGateway } from '../sms-gateway.ts'
import { inOrder, type Trying } from './in-order.ts'
import { createSimulator } from './simulator.gateway.ts'
import { createSmpp } from './smpp.gateway.ts'
import { createTwilio } from './twilio.gateway.ts'

export type GatewayConfig = Pick<Config, 'smsGateways' | 'twilio' | 'smpp' | 'appUrl'>

/** The configured gateways, in order. */
export function openGateways(services: { system: Db; jobs: JobQueue }, config: GatewayConfig, trying: Trying = {}) {
  const { system } = services
  const gateways = config.smsGateways.flatMap((name): SmsGateway[] => {
    if (name === 'simulator') return [createSimulator(system, (receipt) => noteReceipts(system, [receipt]))]
    if (name === 'twilio' && config.twilio) return [createTwilio(config.twilio, config.appUrl)]
    if (name !== 'smpp' || !config.smpp) return []
    const onTrouble = (error: unknown) => trying.onTrouble?.(error)
    const onReceipts = (receipts: Parameters<typeof noteReceipts>[1]) => noteReceipts(system, receipts)
    return [createSmpp(config.smpp, { onTrouble, onReceipts, onText: (text) => keepInboundText(services, text) })]
  })
  return inOrder(gateways, trying)
}
