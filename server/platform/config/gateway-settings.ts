import { ConfigError, type collectProblems, readCount, readPart, required } from './read-setting.ts'

type Env = NodeJS.ProcessEnv
type Read = ReturnType<typeof collectProblems>['read']

export interface TwilioSettings {
  accountSid: string
  authToken: string
  /** A phone number, a name, or a messaging service (MG…). */
  from: string
  /** The number that calls, with + and country code. Absent: no calls. */
  voiceFrom?: string | undefined
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
  /** How ids stand in the provider's answers, if its receipts write them otherwise. */
  messageIds?: 'same' | 'hex' | 'decimal'
  /** Tests only: an additional trusted CA, and timings in milliseconds that replace those of smpp-link.ts. */
  ca?: string
  times?: Readonly<Record<string, number>>
}

/** Each SMS gateway with the names of its settings, and how they are read. */
const gateways = {
  simulator: { names: [], read: () => undefined },
  twilio: { names: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM', 'TWILIO_VOICE_FROM'], read: readTwilio },
  smpp: {
    names: ['SMPP_URL', 'SMPP_FROM', 'SMPP_WINDOW', 'SMPP_PER_SECOND', 'SMPP_SYSTEM_TYPE', 'SMPP_MESSAGE_ID'],
    read: readSmpp,
  },
}

export type GatewayName = keyof typeof gateways
export const gatewayNames = Object.keys(gateways) as readonly GatewayName[]
export const gatewaySettingNames: readonly string[] = Object.values(gateways).flatMap(({ names }) => names)

/** The settings of each gateway that SMS_GATEWAY names. The others are undefined. */
export type GatewaySettings = {
  [N in Exclude<GatewayName, 'simulator'>]: ReturnType<(typeof gateways)[N]['read']> | undefined
}

export function readGatewaySettings(
  env: Env,
  appUrl: string,
  wanted: readonly GatewayName[],
  read: Read,
): GatewaySettings {
  // a setting that `names` lacks cannot be read, so no setting escapes the README and the search for misspelt ones
  const ownOf = (name: GatewayName) => Object.fromEntries(gateways[name].names.map((own) => [own, env[own]]))
  const settingsOf = (name: GatewayName) =>
    wanted.includes(name) ? read(() => gateways[name].read(ownOf(name), appUrl), undefined) : undefined
  return Object.fromEntries(gatewayNames.map((name) => [name, settingsOf(name)])) as GatewaySettings
}

/** The names in SMS_GATEWAY, in order. Throws a ConfigError for an unknown or repeated one. */
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
      'SMS_GATEWAY=simulator is not allowed with NODE_ENV=production: it shows every text, including sign-in links, to everyone who opens its page.',
    )
  return names
}

function readTwilio(env: Env, appUrl: string): TwilioSettings {
  const accountSid = required(env, 'TWILIO_ACCOUNT_SID', 'the account SID (AC and 32 hexadecimal digits)')
  if (!/^AC[0-9a-f]{32}$/i.test(accountSid))
    throw new ConfigError('TWILIO_ACCOUNT_SID is not an account SID: AC and 32 hexadecimal digits.')
  if (/^(localhost|127\.|\[::1\])/.test(new URL(appUrl).host))
    throw new ConfigError(`APP_URL is ${appUrl}: Twilio sends its reports there, so it must be a public address.`)
  const from = required(env, 'TWILIO_FROM', 'the sending number, with + and country code, or a messaging service (MG…)')
  const voiceFrom = env.TWILIO_VOICE_FROM || undefined
  if (voiceFrom && !/^\+[1-9]\d{7,14}$/.test(voiceFrom))
    throw new ConfigError('TWILIO_VOICE_FROM is not a number: write it with + and country code, as +61255500001.')
  return {
    accountSid,
    authToken: required(env, 'TWILIO_AUTH_TOKEN', 'the auth token of the account'),
    from,
    voiceFrom,
  }
}

function readSmpp(env: Env): SmppSettings {
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
    messageIds: readMessageIds(env.SMPP_MESSAGE_ID),
  }
}

function readMessageIds(text = 'same'): SmppSettings['messageIds'] {
  const known = (['same', 'hex', 'decimal'] as const).find((one) => one === (text || 'same'))
  if (!known)
    throw new ConfigError(
      `SMPP_MESSAGE_ID is '${text}': use same, hex or decimal, as the provider's answers write ids.`,
    )
  return known
}

export function readInboundSecret(text: string | undefined): string | undefined {
  if (!text) return undefined
  const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1]
  if (!key || Buffer.from(key, 'base64').length < 24)
    throw new ConfigError('SMS_INBOUND_SECRET must be whsec_ and at least 24 random bytes in base64.')
  return text
}
