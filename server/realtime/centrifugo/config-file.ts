import type { CentrifugoAddress } from '../../platform/config/service-addresses.ts'
import { isThisMachine } from '../../platform/network.ts'
import { audience, centrifugoKey } from '../hub/token.ts'

interface Installation {
  appUrl: string
  centrifugo: Pick<CentrifugoAddress, 'url' | 'apiKey'>
  /** The key of tokens. */
  key: Uint8Array
}

/** Where phones connect, behind the proxy. */
const port = 8000

/** A phone that is further behind reads everything again, as with the own hub. */
const recoveryLimit = 500

/**
 * The configuration of Centrifugo 6 for this installation, as its config.json. It holds secrets. The engine needs no disk: the
 * journal is the history, and after a loss phones read everything again.
 */
export function centrifugoConfig({ appUrl, centrifugo, key }: Installation) {
  const api = new URL(centrifugo.url)
  const address = isThisMachine(api.hostname) ? '127.0.0.1' : ''
  const namespace = (name: string, historySize: number) => ({
    name,
    history_size: historySize,
    history_ttl: '15m',
    // longer than an event: with it the newest transaction of a channel would be forgotten
    history_meta_ttl: '48h',
    force_recovery: true,
    publication_data_format: 'json_object',
  })
  return {
    http_server: { address, port, internal_address: address, internal_port: api.port || '80' },
    http_api: { key: centrifugo.apiKey },
    client: {
      allowed_origins: [new URL(appUrl).origin],
      token: { hmac_secret_key: centrifugoKey(key), audience },
      recovery_max_publication_limit: recoveryLimit,
    },
    channel: { namespaces: [namespace('event', 2000), namespace('warden', 100)] },
    engine: { type: 'redis', redis: { address: ['redis://127.0.0.1:6379'] } },
    health: { enabled: true },
    prometheus: { enabled: true },
    usage_stats: { disabled: true },
  }
}
