import type { Config } from '#server/platform/config/config.ts'
import type { GatewayName, GatewaySettings } from '#server/platform/config/gateway-settings.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { JobQueue } from '#server/platform/db/jobs.ts'
import type { Metrics } from '#server/platform/observability/metrics.ts'
import { openOutgoing } from '#server/platform/outgoing.ts'
import { keepInboundText } from '../inbound/inbound.service.ts'
import { noteReceipts } from '../receipts.service.ts'
import type { SmsGateway } from '../sms-gateway.ts'
import { inOrder, type Trying } from './failover.ts'
import { createSimulator } from './simulator.gateway.ts'
import { createSmpp } from './smpp.gateway.ts'
import { createTwilio } from './twilio.gateway.ts'

export type GatewayConfig = Pick<Config, 'smsGateways' | 'appUrl' | 'outgoingProxy' | keyof GatewaySettings>

interface GatewayServices {
  system: Db
  jobs: JobQueue
  metrics?: Pick<Metrics, 'inboundTexts'>
}

interface Gateway {
  /** Undefined without its settings. */
  open: (services: GatewayServices, config: GatewayConfig, trying: Trying) => SmsGateway | undefined
}

const gateways: Record<GatewayName, Gateway> = {
  simulator: { open: ({ system }) => createSimulator(system, (receipts) => noteReceipts(system, receipts)) },
  twilio: {
    open: (_, config) => config.twilio && createTwilio(config.twilio, config.appUrl, openOutgoing(config)),
  },
  smpp: {
    open: (services, { smpp }, trying) =>
      smpp &&
      createSmpp(smpp, {
        onTrouble: (error) => trying.onTrouble?.(error),
        onReceipts: (receipts) => noteReceipts(services.system, receipts),
        onText: (text) => keepInboundText(services, text),
      }),
  },
}

/** The configured gateways, in order. */
export function openGateways(services: GatewayServices, config: GatewayConfig, trying: Trying = {}) {
  const opened = config.smsGateways.flatMap((name) => gateways[name].open(services, config, trying) ?? [])
  return inOrder(opened, trying)
}
