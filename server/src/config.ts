import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Roles of the one program: HTTP calls, real-time sockets, background jobs. */
export type Role = 'api' | 'hub' | 'worker'
const roles: readonly Role[] = ['api', 'hub', 'worker']

export interface Config {
  production: boolean
  port: number
  host: string
  /** Address that people open; links in texts and the socket's origin check use it. */
  appUrl: string
  /** Your own PostgreSQL (15 or newer); absent: the embedded one. */
  databaseUrl: string | undefined
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
  /** How texts leave; absent: none is set up, and every text fails with that reason. */
  smsGateway: 'simulator' | undefined
  /** How mails leave: the address of a mail server, or the simulator; absent: there is no mail. */
  mail: { smtpUrl: string } | 'simulator' | undefined
  /** Sender of mails. */
  mailFrom: string
  /** Loads the demo organisations into an empty database. */
  demo: boolean
  roles: readonly Role[]
  /** Believe X-Forwarded-* of a reverse proxy in front. */
  trustProxy: boolean
  /** Lets a collector read /metrics from elsewhere; absent: only from this machine. */
  metricsToken: string | undefined
  /** Requests a minute from one address, where a call states no limit of its own. */
  requestsPerMinute: number
}

/** A setting that cannot be used; its message says which and what is allowed. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** The only reader of `process.env`. Throws ConfigError. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const production = env.NODE_ENV === 'production'
  const port = readPort(env.PORT ?? '8080')
  if (production && !env.SECRET_KEY)
    throw new ConfigError('SECRET_KEY is missing: set it to 32 or more random characters.')
  if (env.SECRET_KEY && env.SECRET_KEY.length < 32)
    throw new ConfigError('SECRET_KEY is too short: use 32 or more random characters.')
  const appUrl = readUrl('APP_URL', env.APP_URL ?? `http://localhost:${port}`)
  return {
    production,
    port,
    host: env.HOST ?? '0.0.0.0',
    appUrl,
    databaseUrl: env.DATABASE_URL || undefined,
    dataDir: resolve(env.DATA_DIR || defaultDataDir()),
    pgBinDir: env.PG_BIN_DIR || undefined,
    documentsBucket: readBucket(env.DOCUMENTS_BUCKET, env.DOCUMENTS_BUCKET_ENDPOINT),
    secretKey: env.SECRET_KEY || undefined,
    passwordResetUrl: readWebPage('PASSWORD_RESET_URL', env.PASSWORD_RESET_URL),
    logLevel: env.LOG_LEVEL ?? (production ? 'info' : 'warn'),
    smsGateway: readSmsGateway(env.SMS_GATEWAY, production),
    mail: readMail(env.SMTP_URL, production),
    mailFrom: env.MAIL_FROM || `All Wardens <no-reply@${new URL(appUrl).hostname}>`,
    demo: (env.DEMO ?? 'auto') === 'auto' && !production,
    roles: readRoles(env.ROLES),
    trustProxy: env.TRUST_PROXY === '1',
    metricsToken: env.METRICS_TOKEN || undefined,
    requestsPerMinute: Number(env.REQUESTS_PER_MINUTE ?? 600),
  }
}

function readPort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigError(`PORT is '${text}': use a number from 0 to 65535.`)
  return port
}

function readUrl(name: string, text: string): string {
  if (!URL.canParse(text))
    throw new ConfigError(`${name} is '${text}': use a whole address such as https://evac.example.`)
  return text.replace(/\/$/, '')
}

function readBucket(name: string | undefined, endpoint: string | undefined): Config['documentsBucket'] {
  if (!name && endpoint)
    throw new ConfigError('DOCUMENTS_BUCKET_ENDPOINT is set without DOCUMENTS_BUCKET: name the bucket, too.')
  if (!name) return undefined
  return { name, endpoint: endpoint ? readUrl('DOCUMENTS_BUCKET_ENDPOINT', endpoint) : undefined }
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
  return { smtpUrl }
}

function readSmsGateway(name: string | undefined, production: boolean): Config['smsGateway'] {
  if (!name) return production ? undefined : 'simulator'
  if (name !== 'simulator') throw new ConfigError(`SMS_GATEWAY is '${name}': use simulator.`)
  if (production)
    throw new ConfigError(
      'SMS_GATEWAY=simulator shows every text, sign-in links too, to whoever opens its page: not with NODE_ENV=production.',
    )
  return name
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
  const project = resolve(import.meta.dirname, '../..')
  const here = join(project, 'data')
  if (process.getuid?.() !== 0 || isOpenToOthers(project)) return here
  return `/var/lib/evac-${createHash('sha256').update(project).digest('hex').slice(0, 8)}`
}

function isOpenToOthers(folder: string): boolean {
  const othersMayEnter = (statSync(folder).mode & 0o001) !== 0
  return othersMayEnter && (dirname(folder) === folder || isOpenToOthers(dirname(folder)))
}
