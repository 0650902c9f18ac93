import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isThisMachine } from '../network.ts'
import { findMisspelt } from './setting-names.ts'
import { ConfigError, collectProblems, readAddress, readCount, readPart, readWord, required } from './settings.ts'

/** What a process does: pages and calls, real-time sockets, background jobs. Every role serves the health checks. */
export type Role = 'api' | 'hub' | 'worker'
const roles: readonly Role[] = ['api', 'hub', 'worker']

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

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

/** Days until a kind of data is deleted. Absent: never. */
export interface RetentionDays {
  /** Messages and texts, counted from the end of their event. */
  messages?: number | undefined
  /** Events with attendance, statuses and other records, counted from the end of the event. */
  events?: number | undefined
  /** The journal and the sign-in log. */
  audit?: number | undefined
  /** Evacuation plans (health data), counted from when they were replaced or ended. */
  peeps?: number | undefined
}

export interface Config {
  production: boolean
  port: number
  host: string
  /** Public address of the app. Used in texted links and in the socket's origin check. */
  appUrl: string
  /** Your own PostgreSQL (15 or newer). Absent: the embedded one. */
  databaseUrl: string | undefined
  /** Redis that wakes the other processes after a change. Absent: the database does. */
  redisUrl: string | undefined
  /** Seconds to keep serving after SIGTERM while /health/ready returns 503, so that the load balancer moves on. */
  drainSeconds: number
  /** Folder for the embedded database, the generated secret and stored documents. */
  dataDir: string
  /** Alternative PostgreSQL binaries for the embedded database. */
  pgBinDir: string | undefined
  /** An S3-compatible bucket for stored documents. Absent: a folder in the data folder. */
  documentsBucket: { name: string; endpoint: string | undefined } | undefined
  /** Key material for tokens. Absent: generated once and stored in the data folder. */
  secretKey: string | undefined
  /** External page behind 'Forgot Password' (AMB-028). Empty: passwords are reset here by mail. */
  passwordResetUrl: string
  logLevel: string
  /** SMS gateways in order. Empty: every text fails, with that reason. */
  smsGateways: readonly GatewayName[]
  twilio: TwilioSettings | undefined
  smpp: SmppSettings | undefined
  /** Segments per day that a client may send: sign-in links, report-in links, everything else. */
  smsBudgets: { sign_in_links: number; links: number; alerts: number }
  /** Signing secret for posted replies (Standard Webhooks, `whsec_…`). Absent: nobody may post replies. */
  smsInboundSecret: string | undefined
  /** The SMTP server, or the simulator. Absent: no mail is sent. */
  mail: { smtpUrl: string } | 'simulator' | undefined
  /** Sender address of mails. */
  mailFrom: string
  /** What the nightly job deletes, and when. */
  retention: RetentionDays
  /** Load the demo organisations into an empty database. */
  demo: boolean
  /** Everybody who can reach this machine may use the demo and the simulators, which need no sign-in. */
  openDemo: boolean
  roles: readonly Role[]
  /** Number of reverse proxies in front. Only their X-Forwarded-* entries are trusted. */
  trustedProxies: number
  /** Token that lets a collector on another machine read /metrics. Absent: readable from this machine only. */
  metricsToken: string | undefined
  /** Requests per minute per address, or per signed-in phone, for calls without a limit of their own. */
  requestsPerMinute: number
  /** One sentence for each variable that looks like a setting and is none. */
  misspelt: readonly string[]
}

/** The only reader of `process.env`. Throws a ConfigError that lists every unusable and every misspelt setting. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const { read, throwAll } = collectProblems()
  const production = read(() => readWord(env, 'NODE_ENV', environments), undefined) === 'production'
  const port = read(() => readPort(env.PORT || '8080'), 8080)
  const appUrl = read(() => readAddress('APP_URL', env.APP_URL || `http://localhost:${port}`), 'http://localhost')
  const smsGateways = read(() => readSmsGateways(env.SMS_GATEWAY, production), [])
  const { host, openDemo } = read(() => readOpenness(env, production, appUrl), { host: '127.0.0.1', openDemo: false })
  read(() => requireInProduction(env, production), undefined)
  read(() => checkSecret(env.SECRET_KEY), undefined)
  const count = (name: string, least?: 0 | 1) => read(() => readCount(env, name, least), undefined)
  const config: Config = {
    production,
    port,
    host,
    appUrl,
    databaseUrl: read(() => readDatabase(env.DATABASE_URL), undefined),
    redisUrl: read(() => readRedis(env.REDIS_URL), undefined),
    drainSeconds: count('DRAIN_SECONDS', 0) ?? 0,
    dataDir: resolve(env.DATA_DIR || defaultDataDir()),
    pgBinDir: env.PG_BIN_DIR || undefined,
    documentsBucket: read(() => readBucket(env.DOCUMENTS_BUCKET, env.DOCUMENTS_BUCKET_ENDPOINT), undefined),
    secretKey: env.SECRET_KEY || undefined,
    passwordResetUrl: read(() => readWebPage('PASSWORD_RESET_URL', env.PASSWORD_RESET_URL), ''),
    logLevel: read(() => readWord(env, 'LOG_LEVEL', logLevels), undefined) ?? (production ? 'info' : 'warn'),
    smsGateways,
    twilio: smsGateways.includes('twilio') ? read(() => readTwilio(env, appUrl), undefined) : undefined,
    smpp: smsGateways.includes('smpp') ? read(() => readSmpp(env), undefined) : undefined,
    smsBudgets: {
      sign_in_links: count('SMS_DAILY_SIGN_IN_LINKS') ?? 5_000,
      links: count('SMS_DAILY_LINKS') ?? 5_000,
      alerts: count('SMS_DAILY_ALERTS') ?? 200_000,
    },
    smsInboundSecret: read(() => readInboundSecret(env.SMS_INBOUND_SECRET), undefined),
    mail: read(() => readMail(env.SMTP_URL, production), undefined),
    mailFrom: env.MAIL_FROM || `All Wardens <no-reply@${new URL(appUrl).hostname}>`,
    retention: {
      messages: count('RETAIN_MESSAGES_DAYS'),
      events: count('RETAIN_EVENTS_DAYS'),
      audit: count('RETAIN_AUDIT_DAYS'),
      peeps: count('RETAIN_PEEPS_DAYS'),
    },
    demo: read(() => readWord(env, 'DEMO', ['auto', 'off']), undefined) !== 'off' && !production,
    openDemo,
    roles: read(() => readRoles(env.ROLES), roles),
    trustedProxies: count('TRUST_PROXY', 0) ?? 0,
    metricsToken: env.METRICS_TOKEN || undefined,
    requestsPerMinute: count('REQUESTS_PER_MINUTE') ?? 600,
    misspelt: findMisspelt(env),
  }
  throwAll(config.misspelt)
  return config
}

/** Settings with a default in development and none in production. */
function requireInProduction(env: NodeJS.ProcessEnv, production: boolean) {
  if (!production) return
  const { read, throwAll } = collectProblems()
  const links = 'the public address of the app; links in texts, mails and document lists use it'
  read(() => required(env, 'APP_URL', links), '')
  read(() => required(env, 'SECRET_KEY', keyWanted), '')
  throwAll()
}

function checkSecret(secret: string | undefined) {
  if (secret && canBeGuessed(secret)) throw new ConfigError(`SECRET_KEY can be guessed: set it to ${keyWanted}.`)
}

const environments = ['production', 'development', 'test']
const openWord = 'to-everybody-who-reaches-this-machine'

/**
 * Outside production, sign-in links, mails, names and demo accounts are visible without a sign-in. So the server must
 * be unreachable for others, or OPEN_DEMO must be set.
 */
function readOpenness(env: NodeJS.ProcessEnv, production: boolean, appUrl: string) {
  const openDemo = readWord(env, 'OPEN_DEMO', [openWord]) !== undefined
  if (production && openDemo)
    throw new ConfigError('OPEN_DEMO shows sign-in links and people to everybody: not with NODE_ENV=production.')
  const host = env.HOST || (production || openDemo ? '0.0.0.0' : '127.0.0.1')
  const isSafe = production || openDemo || (isThisMachine(host) && isThisMachine(new URL(appUrl).hostname))
  if (isSafe) return { host, openDemo }
  const reached = isThisMachine(host) ? `APP_URL is ${appUrl}` : `HOST is ${host}`
  throw new ConfigError(
    `${reached}, so others can reach this server. Set NODE_ENV=production for people to use it, or OPEN_DEMO=${openWord} to show the demo, its accounts and every text to them.`,
  )
}

const keyWanted = '32 or more random characters, such as `openssl rand -base64 33` writes'

/** Detects repeated letters or words, alphabet rows and number sequences: long keys with little entropy. */
function canBeGuessed(key: string): boolean {
  const isRow = (at: number) => Math.abs(key.charCodeAt(at) - key.charCodeAt(at - 1)) <= 1
  const inRows = Array.from(key, (_, at) => at > 0 && isRow(at)).filter(Boolean).length
  const isRepeated = Array.from(key, (_, at) => at + 1).some(
    (at) => at <= key.length / 2 && key.startsWith(key.slice(at)),
  )
  return key.length < 32 || new Set(key).size < 8 || inRows > key.length / 2 || isRepeated
}

function readPort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigError(`PORT is '${text}': use a number from 0 to 65535.`)
  return port
}

function readBucket(name: string | undefined, endpoint: string | undefined): Config['documentsBucket'] {
  if (!name && endpoint)
    throw new ConfigError('DOCUMENTS_BUCKET_ENDPOINT is set without DOCUMENTS_BUCKET: set DOCUMENTS_BUCKET too.')
  if (!name) return undefined
  return { name, endpoint: endpoint ? readWebPage('DOCUMENTS_BUCKET_ENDPOINT', endpoint) : undefined }
}

function readWebPage(name: string, text: string | undefined): string {
  if (!text) return ''
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new ConfigError(`${name} is '${text}': use a full http(s) address, or leave it out.`)
  return text
}

/** The address contains a password. Errors never repeat it. */
function readMail(smtpUrl: string | undefined, production: boolean): Config['mail'] {
  if (!smtpUrl) return production ? undefined : 'simulator'
  if (!/^smtps?:\/\/[^/]/.test(smtpUrl) || !URL.canParse(smtpUrl))
    throw new ConfigError('SMTP_URL names no mail server: use smtp://user:password@host:587 or smtps://….')
  readPart('SMTP_URL', smtpUrl)
  return { smtpUrl }
}

/** The address may contain a password. Errors never repeat it. */
function readDatabase(text: string | undefined): string | undefined {
  if (text && !/^(postgres(ql)?:\/\/|\/)/.test(text))
    throw new ConfigError('DATABASE_URL names no PostgreSQL: use postgres://user:password@host/database.')
  if (text?.startsWith('postgres') && !URL.canParse(text))
    throw new ConfigError(
      'DATABASE_URL cannot be read: write / as %2F, # as %23, @ as %40 and % as %25 in its password.',
    )
  return text || undefined
}

/** The address may contain a password. Errors never repeat it. */
function readRedis(text: string | undefined): string | undefined {
  if (text && !(/^rediss?:\/\/[^/]/.test(text) && URL.canParse(text)))
    throw new ConfigError('REDIS_URL is not a Redis address: use redis://user:password@host:6379 or rediss://….')
  return text || undefined
}

function readSmsGateways(text: string | undefined, production: boolean): readonly GatewayName[] {
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
      'SMS_GATEWAY=simulator shows every text, including sign-in links, to everybody who opens its page: not with NODE_ENV=production.',
    )
  return names
}

function readTwilio(env: NodeJS.ProcessEnv, appUrl: string): TwilioSettings {
  const accountSid = required(env, 'TWILIO_ACCOUNT_SID', 'the account SID (AC and 32 hexadecimal digits)')
  if (!/^AC[0-9a-f]{32}$/i.test(accountSid))
    throw new ConfigError('TWILIO_ACCOUNT_SID is no account SID: it begins with AC and 32 hexadecimal digits follow.')
  if (/^(localhost|127\.|\[::1\])/.test(new URL(appUrl).host))
    throw new ConfigError(`APP_URL is ${appUrl}: Twilio sends its reports there, so it must be a public address.`)
  const from = required(env, 'TWILIO_FROM', 'the sending number, with + and country code, or a messaging service (MG…)')
  return { accountSid, authToken: required(env, 'TWILIO_AUTH_TOKEN', 'the auth token of the account'), from }
}

function readSmpp(env: NodeJS.ProcessEnv): SmppSettings {
  const address = required(env, 'SMPP_URL', 'smpp://name:password@host:2775, or smpps:// with TLS')
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^smpps?:$/.test(url.protocol) || !url.hostname || !url.username)
    throw new ConfigError('SMPP_URL is no such address: use smpp://name:password@host:2775, or smpps:// with TLS.')
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

function readInboundSecret(text: string | undefined): string | undefined {
  if (!text) return undefined
  const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1]
  if (!key || Buffer.from(key, 'base64').length < 24)
    throw new ConfigError('SMS_INBOUND_SECRET must be whsec_ and at least 24 random bytes in base64.')
  return text
}

function readRoles(text: string | undefined): readonly Role[] {
  if (!text) return roles
  const wanted = text.split(',').map((role) => role.trim())
  const unknown = wanted.find((role) => !roles.includes(role as Role))
  if (unknown !== undefined) throw new ConfigError(`ROLES names '${unknown}': use any of ${roles.join(', ')}.`)
  return wanted as Role[]
}

/**
 * `data` in the project. PostgreSQL never runs as root. If the project lies in a folder that only root may enter, the
 * data goes to a folder of this checkout under /var/lib.
 */
function defaultDataDir(): string {
  const project = resolve(import.meta.dirname, '../../../..')
  const here = join(project, 'data')
  if (process.getuid?.() !== 0 || isOpenToOthers(project)) return here
  return `/var/lib/evac-${createHash('sha256').update(project).digest('hex').slice(0, 8)}`
}

function isOpenToOthers(folder: string): boolean {
  const othersMayEnter = (statSync(folder).mode & 0o001) !== 0
  return othersMayEnter && (dirname(folder) === folder || isOpenToOthers(dirname(folder)))
}
