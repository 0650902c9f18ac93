import { ConfigError, readCount, readPart, required } from './settings.ts'

/** SMS gateways, tried in the order given. */
export type GatewayName = 'simulator' | 'twilio' | 'smpp'
const gatewayNames: readonly GatewayName[] = ['simulator', 'twilio', 'smpp']

export interface TwilioSettings {
  accountSid: string
  authToken: string
  /** A phone number, a name, or a messaging service (MG…). */
  from: string
  /** Tests only: the stand-in for api.twilio.com. */
  apiUrl?: string
}

export interface SmppSettings {
  host: string
  port: number
  tls: boolean
  systemId: string
  password: string
  systemType: string
  /** A phone number, a short code or a name. */
  from: string
  /** How many texts may be unanswered at once. */
  window: number
  /** Texts per second. Absent: limited by `window` only. */
  perSecond?: number | undefined
  /** Tests only: an additional trusted CA, and timings in milliseconds that replace those of smpp-link.ts. */
  ca?: string
  times?: Readonly<Record<string, number>>
}

export function readSmsGateways(text: string | undefined, production: boolean): readonly GatewayName[] {
  if (!text) return production ? [] : ['simulator']
  const names = text.split(',').map((name) => name.trim()) as GatewayName[]
  const unknown = names.find((name) => !gatewayNames.includes(name))
  if (unknown !== undefined)
    throw new ConfigError(
      `SMS_GATEWAY contains '${unknown}': use ${gatewayNames.join(', ')}, or two of them separated by a comma.`,
    )
  if (new Set(names).size < names.length) throw new ConfigError(`SMS_GATEWAY is '${text}': name each gateway once.`)
  if (production && names.includes('simulator'))
    throw new ConfigError(
      'SMS_GATEWAY=simulator is not allowed with NODE_ENV=production: it shows every text, including sign-in links, to everybody who opens its page.',
    )
  return names
}

export function readTwilio(env: NodeJS.ProcessEnv, appUrl: string): TwilioSettings {
  const accountSid = required(env, 'TWILIO_ACCOUNT_SID', 'the account SID (AC and 32 hexadecimal digits)')
  if (!/^AC[0-9a-f]{32}$/i.test(accountSid))
    throw new ConfigError('TWILIO_ACCOUNT_SID is not an account SID: AC and 32 hexadecimal digits.')
  if (/^(localhost|127\.|\[::1\])/.test(new URL(appUrl).host))
    throw new ConfigError(`APP_URL is ${appUrl}: Twilio sends its reports there, so it must be a public address.`)
  const from = required(env, 'TWILIO_FROM', 'the sending number, with + and country code, or a messaging service (MG…)')
  return { accountSid, authToken: required(env, 'TWILIO_AUTH_TOKEN', 'the auth token of the account'), from }
}

export function readSmpp(env: NodeJS.ProcessEnv): SmppSettings {
  const address = required(env, 'SMPP_URL', 'smpp://name:password@host:2775, or smpps:// with TLS')
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^smpps?:$/.test(url.protocol) || !url.hostname || !url.username)
    throw new ConfigError('SMPP_URL is not an SMPP address: use smpp://name:password@host:2775, or smpps:// with TLS.')
  const tls = url.protocol === 'smpps:'
  return {
    host: url.hostname,
    port: Number(url.port || (tls ? 3550 : 2775)),
    tls,
    systemId: readPart('SMPP_URL', url.username),
    password: readPart('SMPP_URL', url.password),
    systemType: env.SMPP_SYSTEM_TYPE ?? '',
    from: required(env, 'SMPP_FROM', 'the sending number (with country code), short code or name'),
    window: readCount(env, 'SMPP_WINDOW') ?? 10,
    perSecond: readCount(env, 'SMPP_PER_SECOND'),
  }
}

export function readInboundSecret(text: string | undefined): string | undefined {
  if (!text) return undefined
  const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1]
  if (!key || Buffer.from(key, 'base64').length < 24)
    throw new ConfigError('SMS_INBOUND_SECRET must be whsec_ and at least 24 random bytes in base64.')
  return text
}
