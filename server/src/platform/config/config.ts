import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isThisMachine } from '../network.ts'
import { ConfigError, collectProblems, readAddress, readCount, readPart, readWord, required } from './settings.ts'

/**
 * Roles of the one program: pages and calls, real-time sockets, background jobs. Whatever they are, it answers for its
 * health.
 */
export type Role = 'api' | 'hub' | 'worker'
const roles: readonly Role[] = ['api', 'hub', 'worker']

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Ways out for texts, tried in the order in which they are named. */
export type GatewayName = 'simulator' | 'twilio' | 'smpp'
const gatewayNames: readonly GatewayName[] = ['simulator', 'twilio', 'smpp']

export interface TwilioSettings {
  accountSid: string
  authToken: string
  /** A number, a name, or a messaging service (MG…). */
  from: string
  /** In tests: who stands in for api.twilio.com. */
  apiUrl?: string
}

export interface SmppSettings {
  host: string
  port: number
  tls: boolean
  systemId: string
  password: string
  systemType: string
  /** A number, a short code or a name. */
  from: string
  /** Texts that may be without an answer at once. */
  window: number
  /** Texts a second; absent: as fast as the window lets. */
  perSecond?: number | undefined
  /** In tests: who is believed beside the usual authorities, and milliseconds that differ from those of smpp-link.ts. */
  ca?: string
  times?: Readonly<Record<string, number>>
}

/** Days after which a kind of data is deleted; absent: never. */
export interface RetentionDays {
  /** Messages and texts, after the end of their event. */
  messages?: number | undefined
  /** Events with attendance, statuses and whatever else was recorded in them, after their end. */
  events?: number | undefined
  /** The journal and the log of sign-ins. */
  audit?: number | undefined
  /** Evacuation plans of people (health data), after they were replaced or ended. */
  peeps?: number | undefined
}

export interface Config {
  production: boolean
  port: number
  host: string
  /** Address that people open; links in texts and the socket's origin check use it. */
  appUrl: string
  /** Your own PostgreSQL (15 or newer); absent: the embedded one. */
  databaseUrl: string | undefined
  /** Redis that wakes the other processes after a change; absent: the database does. */
  redisUrl: string | undefined
  /** Seconds for which a process that is told to stop says 'not ready' and goes on, so that a balancer turns to others. */
  drainSeconds: number
  /** Folder of the embedded database, the generated secret and stored documents. */
  dataDir: string
  /** Other PostgreSQL binaries for the embedded database. */
  pgBinDir: string | undefined
  /** An S3-compatible bucket for stored documents; absent: a folder in the data folder. */
  documentsBucket: { name: string; endpoint: string | undefined } | undefined
  /** Key material for tokens; absent: generated once into the data folder. */
  secretKey: string | undefined
  /** External page behind 'Forgot Password' (AMB-028); empty: passwords are reset here, by mail. */
  passwordResetUrl: string
  logLevel: string
  /** How texts leave; none: every text fails with that reason. */
  smsGateways: readonly GatewayName[]
  twilio: TwilioSettings | undefined
  smpp: SmppSettings | undefined
  /** Segments that a client may send on a day: sign-in links, report-in links, everything else. */
  smsBudgets: { sign_in_links: number; links: number; alerts: number }
  /** Who may post replies (Standard Webhooks, `whsec_…`); absent: nobody. */
  smsInboundSecret: string | undefined
  /** How mails leave: the address of a mail server, or the simulator; absent: there is no mail. */
  mail: { smtpUrl: string } | 'simulator' | undefined
  /** Sender of mails. */
  mailFrom: string
  /** What the nightly job deletes. */
  retention: RetentionDays
  /** Loads the demo organisations into an empty database. */
  demo: boolean
  /** The demo and the simulators, which ask for no sign-in, are there for whoever reaches this machine. */
  openDemo: boolean
  roles: readonly Role[]
  /** Reverse proxies in front, whose word on the sender (X-Forwarded-*) counts; what stands before theirs is anybody's. */
  trustedProxies: number
  /** Lets a collector read /metrics from elsewhere; absent: only from this machine. */
  metricsToken: string | undefined
  /** Requests a minute of one address, or of one signed-in phone, where a call states no limit of its own. */
  requestsPerMinute: number
}

/** The only reader of `process.env`. Throws a ConfigError that names every setting that cannot be used. */
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
  }
  throwAll()
  return config
}

/** What has a default elsewhere, and none in production. */
function requireInProduction(env: NodeJS.ProcessEnv, production: boolean) {
  if (!production) return
  const { read, throwAll } = collectProblems()
  const links = 'the address that people open; links in texts, mails and lists of documents lead there'
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
 * Outside production sign-in links, mails, names and the demo's accounts are shown without a sign-in: only where nobody else
 * can reach them, or by a setting that says it.
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

/** One letter or word again and again, rows of the alphabet or the keyboard's numbers: 32 characters that are few. */
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
    throw new ConfigError('DOCUMENTS_BUCKET_ENDPOINT is set without DOCUMENTS_BUCKET: name the bucket, too.')
  if (!name) return undefined
  return { name, endpoint: endpoint ? readWebPage('DOCUMENTS_BUCKET_ENDPOINT', endpoint) : undefined }
}

function readWebPage(name: string, text: string | undefined): string {
  if (!text) return ''
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new ConfigError(`${name} is '${text}': use the whole address of a page, or leave it out.`)
  return text
}

/** The address holds a password: it is never repeated. */
function readMail(smtpUrl: string | undefined, production: boolean): Config['mail'] {
  if (!smtpUrl) return production ? undefined : 'simulator'
  if (!/^smtps?:\/\/[^/]/.test(smtpUrl) || !URL.canParse(smtpUrl))
    throw new ConfigError('SMTP_URL names no mail server: use smtp://user:password@host:587 or smtps://….')
  readPart('SMTP_URL', smtpUrl)
  return { smtpUrl }
}

/** The address may hold a password: it is never repeated. */
function readDatabase(text: string | undefined): string | undefined {
  if (text && !/^(postgres(ql)?:\/\/|\/)/.test(text))
    throw new ConfigError('DATABASE_URL names no PostgreSQL: use postgres://user:password@host/database.')
  if (text?.startsWith('postgres') && !URL.canParse(text))
    throw new ConfigError(
      'DATABASE_URL cannot be read: write / as %2F, # as %23, @ as %40 and % as %25 in its password.',
    )
  return text || undefined
}

/** The address may hold a password: it is never repeated. */
function readRedis(text: string | undefined): string | undefined {
  if (text && !(/^rediss?:\/\/[^/]/.test(text) && URL.canParse(text)))
    throw new ConfigError('REDIS_URL names no Redis: use redis://user:password@host:6379 or rediss://….')
  return text || undefined
}

function readSmsGateways(text: string | undefined, production: boolean): readonly GatewayName[] {
  if (!text) return production ? [] : ['simulator']
  const names = text.split(',').map((name) => name.trim()) as GatewayName[]
  const unknown = names.find((name) => !gatewayNames.includes(name))
  if (unknown !== undefined)
    throw new ConfigError(
      `SMS_GATEWAY names '${unknown}': use ${gatewayNames.join(', ')}, or two of them with a comma.`,
    )
  if (new Set(names).size < names.length) throw new ConfigError(`SMS_GATEWAY is '${text}': name each gateway once.`)
  if (production && names.includes('simulator'))
    throw new ConfigError(
      'SMS_GATEWAY=simulator shows every text, sign-in links too, to whoever opens its page: not with NODE_ENV=production.',
    )
  return names
}

function readTwilio(env: NodeJS.ProcessEnv, appUrl: string): TwilioSettings {
  const accountSid = required(env, 'TWILIO_ACCOUNT_SID', 'the account SID (AC and 32 hexadecimal digits)')
  if (!/^AC[0-9a-f]{32}$/i.test(accountSid))
    throw new ConfigError('TWILIO_ACCOUNT_SID is no account SID: it begins with AC and 32 hexadecimal digits follow.')
  if (/^(localhost|127\.|\[::1\])/.test(new URL(appUrl).host))
    throw new ConfigError(`APP_URL is ${appUrl}: Twilio reports there, so it must be the address seen from outside.`)
  const from = required(
    env,
    'TWILIO_FROM',
    'the number that sends, with + and country code, or a messaging service (MG…)',
  )
  return { accountSid, authToken: required(env, 'TWILIO_AUTH_TOKEN', 'the token of the account'), from }
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
    from: required(env, 'SMPP_FROM', 'the number (with country code), short code or name that sends'),
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
 * `data` in the project. PostgreSQL never runs as root: where root's project lies behind a folder that only root may
 * enter, the data goes to /var/lib, to a folder of this checkout's own.
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
