import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isThisMachine } from '../network.ts'
import {
  type GatewayName,
  type GatewaySettings,
  readGatewaySettings,
  readInboundSecret,
  readSmsGateways,
} from './gateway-settings.ts'
import {
  ConfigError,
  canBeGuessed,
  collectProblems,
  keyWanted,
  readAddress,
  readCount,
  readWord,
  required,
} from './read-setting.ts'
import {
  type CentrifugoAddress,
  type DirectoryAddress,
  type DirectoryCell,
  type DocumentsBucket,
  type MailServer,
  readBucket,
  readCentrifugo,
  readContact,
  readDatabase,
  readDirectory,
  readDirectoryCells,
  readMail,
  readProxy,
  readWebPage,
  readWitnesses,
  refuseRedis,
} from './service-addresses.ts'
import { findMisspelt } from './setting-names.ts'

/**
 * What a process does: pages and calls, real-time sockets, background jobs. Every role serves the health checks. `directory` stands
 * alone: it holds the sign-in names of several installations, and has no database.
 */
export type Role = 'api' | 'hub' | 'worker' | 'directory'
const roles: readonly Role[] = ['api', 'hub', 'worker']

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

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

export interface Config extends GatewaySettings {
  production: boolean
  port: number
  host: string
  /** Public address of the app. Used in texted links and in the socket's origin check. */
  appUrl: string
  /** Your own PostgreSQL (15 or newer). Absent: the embedded one. */
  databaseUrl: string | undefined
  /** A Centrifugo server for the sockets of phones. Absent: the own hub has them. */
  centrifugo: CentrifugoAddress | undefined
  /** Which installation has a sign-in name. Absent: this one is alone. */
  directory: DirectoryAddress | undefined
  /** For the role `directory`: the installations that it knows. */
  directoryCells: readonly DirectoryCell[]
  /** Seconds to keep serving after SIGTERM while /health/ready returns 503, so that the load balancer moves on. */
  drainSeconds: number
  /** Folder for the embedded database, the generated secret and stored documents. */
  dataDir: string
  /** Alternative PostgreSQL binaries for the embedded database. */
  pgBinDir: string | undefined
  /** An S3-compatible bucket for stored documents. Absent: a folder in the data folder. */
  documentsBucket: DocumentsBucket | undefined
  /** Key material for tokens. Absent: generated once and stored in the data folder. */
  secretKey: string | undefined
  /** Former or future values of `secretKey` of other nodes: what they made is recognised, and nothing is made with them. */
  formerSecretKeys: readonly string[]
  /** External page behind 'Forgot Password'. Empty: passwords are reset here by mail. */
  passwordResetUrl: string
  logLevel: string
  /** SMS gateways in order. Empty: every text fails, with that reason. */
  smsGateways: readonly GatewayName[]
  /** Segments per day that a client may send: sign-in links, report-in links, everything else; and calls per day. */
  smsBudgets: { sign_in_links: number; links: number; alerts: number; calls: number }
  /** How many calls a worker begins in a second, and has at once. */
  voice: { perSecond: number; atOnce: number }
  /** Signing secret for posted replies (Standard Webhooks, `whsec_…`). Absent: no one may post replies. */
  smsInboundSecret: string | undefined
  /** The SMTP server, or the simulator. Absent: no mail is sent. */
  mail: MailServer | 'simulator' | undefined
  /** Sender address of mails. */
  mailFrom: string
  /** Time stamp authority for the heads of event logs (RFC 3161). Empty: none. */
  tsaUrl: string
  /** Who signs the log of heads, too (C2SP tlog-witness): the address, and the verifier key. */
  logWitnesses: readonly { url: string; key: string }[]
  /** Whom to tell of a fault in security: a `mailto:` or https address. Empty: no one is named. */
  securityContact: string
  /** Whom push services may ask about alerts: a `mailto:` or https address. Empty: no alerts on phones. */
  webPushContact: string
  /** Hosts of further push services. */
  pushHosts: readonly string[]
  /** The proxy of all HTTP calls out: of time stamps and texts. Empty: none. */
  outgoingProxy: string
  /** Shows the documentation of all calls at /api/docs. */
  apiDocs: boolean
  /** Folder with further fonts for the PDFs of records. Empty: none. */
  pdfFontsDir: string
  /** What the nightly job deletes, and when. */
  retention: RetentionDays & { records?: number | undefined }
  /** Load the demo organisations into an empty database. */
  demo: boolean
  /** Everyone who can reach this machine may use the demo and the simulators, which need no sign-in. */
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
  read(() => refuseRedis(env.REDIS_URL), undefined)
  const count = (name: string, least?: 0 | 1) => read(() => readCount(env, name, least), undefined)
  const config: Config = {
    production,
    port,
    host,
    appUrl,
    databaseUrl: read(() => readDatabase(env.DATABASE_URL), undefined),
    centrifugo: read(() => readCentrifugo(env), undefined),
    directory: read(() => readDirectory(env), undefined),
    directoryCells: read(() => readDirectoryCells(env), []),
    drainSeconds: count('DRAIN_SECONDS', 0) ?? 0,
    dataDir: resolve(env.DATA_DIR || defaultDataDir()),
    pgBinDir: env.PG_BIN_DIR || undefined,
    documentsBucket: read(() => readBucket(env.DOCUMENTS_BUCKET, env.DOCUMENTS_BUCKET_ENDPOINT), undefined),
    secretKey: env.SECRET_KEY || undefined,
    formerSecretKeys: read(() => readFormerSecrets(env), []),
    passwordResetUrl: read(() => readWebPage('PASSWORD_RESET_URL', env.PASSWORD_RESET_URL), ''),
    logLevel: read(() => readWord(env, 'LOG_LEVEL', logLevels), undefined) ?? (production ? 'info' : 'warn'),
    smsGateways,
    ...readGatewaySettings(env, appUrl, smsGateways, read),
    ...readSpending(count),
    smsInboundSecret: read(() => readInboundSecret(env.SMS_INBOUND_SECRET), undefined),
    mail: read(() => readMail(env.SMTP_URL, production), undefined),
    mailFrom: env.MAIL_FROM || `All Wardens <no-reply@${new URL(appUrl).hostname}>`,
    tsaUrl: read(() => readWebPage('TSA_URL', env.TSA_URL), ''),
    logWitnesses: read(() => readWitnesses(env.LOG_WITNESSES), []),
    securityContact: read(() => readContact('SECURITY_CONTACT', env.SECURITY_CONTACT), ''),
    webPushContact: read(() => readContact('WEB_PUSH_CONTACT', env.WEB_PUSH_CONTACT), ''),
    pushHosts: (env.PUSH_HOSTS ?? '')
      .split(',')
      .map((host) => host.trim())
      .filter(Boolean),
    outgoingProxy: read(() => readProxy(env.OUTGOING_PROXY), ''),
    apiDocs: (read(() => readWord(env, 'API_DOCS', ['on', 'off']), undefined) ?? (production ? 'off' : 'on')) === 'on',
    pdfFontsDir: env.PDF_FONTS_DIR ?? '',
    retention: {
      messages: count('RETAIN_MESSAGES_DAYS'),
      events: count('RETAIN_EVENTS_DAYS'),
      audit: count('RETAIN_AUDIT_DAYS'),
      peeps: count('RETAIN_PEEPS_DAYS'),
      records: count('RETAIN_RECORDS_DAYS'),
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

/** What an organisation may spend a day on texts and calls, and how fast a worker calls. */
const readSpending = (count: (name: string, least?: 0 | 1) => number | undefined) => ({
  smsBudgets: {
    sign_in_links: count('SMS_DAILY_SIGN_IN_LINKS') ?? 5_000,
    links: count('SMS_DAILY_LINKS') ?? 5_000,
    alerts: count('SMS_DAILY_ALERTS') ?? 200_000,
    calls: count('VOICE_DAILY_CALLS', 0) ?? 2_000,
  },
  voice: { perSecond: count('VOICE_PER_SECOND') ?? 1, atOnce: count('VOICE_AT_ONCE') ?? 20 },
})

/** Settings with a default in development and none in production. */
function requireInProduction(env: NodeJS.ProcessEnv, production: boolean) {
  if (!production || env.ROLES === 'directory') return
  const { read, throwAll } = collectProblems()
  const links = 'the public address of the app; links in texts, mails and document lists use it'
  read(() => required(env, 'APP_URL', links), '')
  read(() => required(env, 'SECRET_KEY', keyWanted), '')
  throwAll()
}

function checkSecret(secret: string | undefined) {
  if (secret && canBeGuessed(secret)) throw new ConfigError(`SECRET_KEY can be guessed: set it to ${keyWanted}.`)
}

function readFormerSecrets({ SECRET_KEY, SECRET_KEY_PREVIOUS = '' }: NodeJS.ProcessEnv): string[] {
  const former = SECRET_KEY_PREVIOUS.split(/[;\n]/)
    .map((key) => key.trim())
    .filter((key) => key !== '')
  if (former.some(canBeGuessed))
    throw new ConfigError(
      'A key in SECRET_KEY_PREVIOUS can be guessed: name keys as SECRET_KEY had them, parted by semicolons.',
    )
  if (SECRET_KEY && former.includes(SECRET_KEY))
    throw new ConfigError('SECRET_KEY_PREVIOUS names SECRET_KEY itself: name the keys that other nodes have or had.')
  return former
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
    throw new ConfigError(
      'OPEN_DEMO is not allowed with NODE_ENV=production: it shows sign-in links and people to everyone.',
    )
  const host = env.HOST || (production || openDemo ? '0.0.0.0' : '127.0.0.1')
  const isSafe = production || openDemo || (isThisMachine(host) && isThisMachine(new URL(appUrl).hostname))
  if (isSafe) return { host, openDemo }
  const reached = isThisMachine(host) ? `APP_URL is ${appUrl}` : `HOST is ${host}`
  throw new ConfigError(
    `${reached}, so others can reach this server. Set NODE_ENV=production for people to use it, or OPEN_DEMO=${openWord} to show the demo, its accounts and every text to them.`,
  )
}

function readPort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigError(`PORT is '${text}': use a number from 0 to 65535.`)
  return port
}

function readRoles(text: string | undefined): readonly Role[] {
  if (!text) return roles
  if (text === 'directory') return ['directory']
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
  const project = resolve(import.meta.dirname, '../../..')
  const here = join(project, 'data')
  if (process.getuid?.() !== 0 || isOpenToOthers(project)) return here
  return `/var/lib/evac-${createHash('sha256').update(project).digest('hex').slice(0, 8)}`
}

function isOpenToOthers(folder: string): boolean {
  const othersMayEnter = (statSync(folder).mode & 0o001) !== 0
  return othersMayEnter && (dirname(folder) === folder || isOpenToOthers(dirname(folder)))
}
