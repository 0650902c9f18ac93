import { isThisMachine } from '../network.ts'
import { ConfigError, canBeGuessed, keyWanted, readAddress, readPart, required } from './read-setting.ts'

/** An S3-compatible bucket. Without an endpoint it is Amazon's. */
export interface DocumentsBucket {
  name: string
  endpoint: string | undefined
}

export interface MailServer {
  smtpUrl: string
}

export function readBucket(name: string | undefined, endpoint: string | undefined): DocumentsBucket | undefined {
  if (!name && endpoint)
    throw new ConfigError('DOCUMENTS_BUCKET_ENDPOINT is set without DOCUMENTS_BUCKET: set DOCUMENTS_BUCKET too.')
  if (!name) return undefined
  return { name, endpoint: endpoint ? readWebPage('DOCUMENTS_BUCKET_ENDPOINT', endpoint) : undefined }
}

export function readWebPage(name: string, text: string | undefined): string {
  if (!text) return ''
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new ConfigError(`${name} is '${text}': use a full http(s) address, or leave it out.`)
  return text
}

/** An e-mail address, or a page. */
export function readContact(name: string, text: string | undefined): string {
  if (!text) return ''
  if (/^[^\s@:/]+@[^\s@:/]+$/.test(text)) return `mailto:${text}`
  if (/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(text)) return text
  throw new ConfigError(`${name} is '${text}': use an email address or an https:// address.`)
}

/** The address may contain a password. Errors never repeat it. */
export function readProxy(text: string | undefined): string {
  if (text && !(/^https?:\/\/[^/]/.test(text) && URL.canParse(text)))
    throw new ConfigError('OUTGOING_PROXY is not the address of a proxy: use http://user:password@host:3128.')
  return text || ''
}

/** The address contains a password. Errors never repeat it. */
export function readMail(smtpUrl: string | undefined, production: boolean): MailServer | 'simulator' | undefined {
  if (!smtpUrl) return production ? undefined : 'simulator'
  if (!/^smtps?:\/\/[^/]/.test(smtpUrl) || !URL.canParse(smtpUrl))
    throw new ConfigError('SMTP_URL is not a mail server address: use smtp://user:password@host:587 or smtps://….')
  readPart('SMTP_URL', smtpUrl)
  return { smtpUrl }
}

/** The address may contain a password. Errors never repeat it. */
export function readDatabase(text: string | undefined): string | undefined {
  if (text && !/^(postgres(ql)?:\/\/|\/)/.test(text))
    throw new ConfigError('DATABASE_URL is not a PostgreSQL address: use postgres://user:password@host/database.')
  if (text?.startsWith('postgres') && !URL.canParse(text))
    throw new ConfigError(
      'DATABASE_URL cannot be read: write / as %2F, # as %23, @ as %40 and % as %25 in its password.',
    )
  return text || undefined
}

/** A Centrifugo server that holds the sockets of phones. */
export interface CentrifugoAddress {
  /** Of its API, which only Evac may reach. Without a path. */
  url: string
  apiKey: string
  /** Where phones connect, with its path. Undefined: the usual path at APP_URL. */
  publicUrl: string | undefined
}

/** The key is a secret. Errors never repeat it. */
export function readCentrifugo(env: NodeJS.ProcessEnv): CentrifugoAddress | undefined {
  const { CENTRIFUGO_URL: url, CENTRIFUGO_PUBLIC_URL: publicUrl } = env
  if (!url) {
    const stray = ['CENTRIFUGO_API_KEY', 'CENTRIFUGO_PUBLIC_URL'].find((name) => env[name])
    if (stray) throw new ConfigError(`${stray} is set without CENTRIFUGO_URL: set CENTRIFUGO_URL too.`)
    return undefined
  }
  if (publicUrl && !(/^wss?:\/\/[^/]+\/./.test(publicUrl) && URL.canParse(publicUrl)))
    throw new ConfigError(
      `CENTRIFUGO_PUBLIC_URL is '${publicUrl}': use an address such as wss://live.evac.example/connection/websocket.`,
    )
  return {
    url: readAddress('CENTRIFUGO_URL', url),
    apiKey: required(env, 'CENTRIFUGO_API_KEY', 'the key of the API, `http_api.key` of Centrifugo'),
    publicUrl: publicUrl || undefined,
  }
}

/** Evac 0.1 took it. An installation that counted on it must learn what does its work now. */
export function refuseRedis(text: string | undefined): void {
  if (text)
    throw new ConfigError(
      'REDIS_URL is no longer a setting: remove it. PostgreSQL wakes the nodes, and for more phones than they can hold there is CENTRIFUGO_URL.',
    )
}

/** A line 'URL KEY' for each witness of logs, or parted by semicolons. Anything else is refused. */
export function readWitnesses(text: string | undefined): { url: string; key: string }[] {
  return (text ?? '')
    .split(/[\n;]/)
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [url = '', key = '', ...more] = line.split(/\s+/)
      if (
        !/^https?:\/\//.test(url) ||
        !URL.canParse(url) ||
        !/^[^\s+]+\+[0-9a-f]{8}\+[\w+/=]{44,}$/.test(key) ||
        more.length > 0
      )
        throw new ConfigError(
          `LOG_WITNESSES has '${line}': use a line such as https://witness.example NAME+ID+KEY for each.`,
        )
      return { url: url.replace(/\/$/, ''), key }
    })
}

/** The directory of sign-in names of several installations. */
export interface DirectoryAddress {
  /** Without a path. */
  url: string
  /** By which the directory knows this installation. */
  key: string
  /** Which all installations share. The directory does not have it. */
  nameKey: string
}

/** The keys are secrets. Errors never repeat them. */
export function readDirectory(env: NodeJS.ProcessEnv): DirectoryAddress | undefined {
  if (!env.DIRECTORY_URL) {
    const stray = ['DIRECTORY_KEY', 'DIRECTORY_NAME_KEY'].find((name) => env[name])
    if (stray) throw new ConfigError(`${stray} is set without DIRECTORY_URL: set DIRECTORY_URL too.`)
    return undefined
  }
  const keyOf = (name: string) => {
    const key = required(env, name, keyWanted)
    if (canBeGuessed(key)) throw new ConfigError(`${name} can be guessed: set it to ${keyWanted}.`)
    return key
  }
  return {
    url: readSafeAddress('DIRECTORY_URL', env.DIRECTORY_URL),
    key: keyOf('DIRECTORY_KEY'),
    nameKey: keyOf('DIRECTORY_NAME_KEY'),
  }
}

/** Of an installation or the directory, to which passwords and keys go: encrypted, or on this machine. */
export function readSafeAddress(name: string, text: string): string {
  const address = readAddress(name, text)
  const { protocol, hostname } = new URL(address)
  if (protocol === 'https:' || isThisMachine(hostname)) return address
  throw new ConfigError(`${name} is '${text}': use an address that begins with https://.`)
}

/** An installation that the directory knows: its address, and the SHA-256 of its key in hexadecimal digits. */
export interface DirectoryCell {
  address: string
  keyHash: string
}

/** A line 'ADDRESS SHA256' for each installation, or parted by semicolons. The role `directory` needs one. */
export function readDirectoryCells(env: NodeJS.ProcessEnv): DirectoryCell[] {
  const isDirectory = env.ROLES === 'directory'
  const wanted = 'a line for each installation: its APP_URL, and the SHA-256 of its DIRECTORY_KEY'
  const text = isDirectory ? required(env, 'DIRECTORY_CELLS', wanted) : (env.DIRECTORY_CELLS ?? '')
  return text
    .split(/[\n;]/)
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [address = '', keyHash = '', ...more] = line.split(/\s+/)
      if (!/^[0-9a-f]{64}$/.test(keyHash) || more.length > 0)
        throw new ConfigError(`DIRECTORY_CELLS has '${line}': use ${wanted}.`)
      return { address: readSafeAddress('DIRECTORY_CELLS', address), keyHash }
    })
}
