import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One key per use, derived from one secret. No key can replace another. */
export interface Secrets {
  /** Makes and recognises access tokens. */
  access: Uint8Array
  /** Derives the access token that a rejoin issues, so that a repeated request gets the same one. */
  rejoins: Uint8Array
  /** Signs real-time tokens. */
  realtime: Uint8Array
  /** Makes card tokens. */
  cards: Uint8Array
  /** Makes the tokens of report-in links. */
  links: Uint8Array
  /** Makes the tokens of observers' links. */
  observers: Uint8Array
  /** Makes and recognises the tokens of wall screens. */
  walls: Uint8Array
  /** Makes the tokens of arrival packs and of their readers. */
  packs: Uint8Array
  /** Makes the tokens of notices about plans. */
  planNotices: Uint8Array
  /** Makes the tokens of personal links, and names networks of reports. */
  selfLinks: Uint8Array
  /** Makes the tokens of mobile sign-in links. */
  mobileLinks: Uint8Array
  /** Makes the tokens of links to set a new password. */
  passwordResets: Uint8Array
  /** Signs links to stored documents. */
  documents: Uint8Array
  /** Encrypts what a phone stores of its last sign-in. */
  devices: Uint8Array
  /** Makes and recognises tokens of the console. */
  console: Uint8Array
  /** Makes and recognises the tickets between password and code. */
  consoleTickets: Uint8Array
  /** Seals the keys by which lists of the console are paged. */
  listKeys: Uint8Array
  /** Makes the tokens of invitations. */
  invitations: Uint8Array
  /** Makes the token of the set-up. */
  setUp: Uint8Array
  /** Seals the secrets of second factors. */
  secondFactors: Uint8Array
  /** Hashes recovery codes, which are short. */
  recoveryCodes: Uint8Array
  /** Signs the heads of event logs. */
  recordLog: Uint8Array
  /** The key of alerts on phones (P-256). */
  webPush: Uint8Array
  /** Those of SECRET_KEY_PREVIOUS. They make nothing. */
  former: readonly Secrets[]
}
type Use = Exclude<keyof Secrets, 'former'>

/** The key that makes, and then the ones that only recognise what was made with another SECRET_KEY. */
export type Keyring = readonly [Uint8Array, ...Uint8Array[]]

export const keyring = <Of extends Use>(secrets: Pick<Secrets, Of | 'former'>, use: Of): Keyring => [
  secrets[use],
  ...secrets.former.map((one) => one[use]),
]

export function deriveSecrets(secretKey: string, former: readonly string[] = []): Secrets {
  const derive = (use: string) => new Uint8Array(hkdfSync('sha256', secretKey, 'evac', use, 32))
  return {
    access: derive('access'),
    rejoins: derive('rejoins'),
    realtime: derive('realtime'),
    cards: derive('cards'),
    links: derive('links'),
    observers: derive('observers'),
    walls: derive('walls'),
    packs: derive('packs'),
    planNotices: derive('plan notices'),
    selfLinks: derive('self links'),
    mobileLinks: derive('mobile links'),
    passwordResets: derive('password resets'),
    documents: derive('documents'),
    devices: derive('devices'),
    console: derive('console'),
    consoleTickets: derive('console tickets'),
    listKeys: derive('list keys'),
    invitations: derive('invitations'),
    setUp: derive('set-up'),
    secondFactors: derive('second factors'),
    recoveryCodes: derive('recovery codes'),
    recordLog: derive('record log'),
    webPush: derive('web push'),
    former: former.map((one) => deriveSecrets(one)),
  }
}

/** The configured secret, or the one generated at the first start in the data folder (readable by its owner only). */
export const loadSecretKey = (configured: string | undefined, dataDir: string): string =>
  findSecretKey(configured, dataDir) ?? makeSecret(fileIn(dataDir))

/** The same. Undefined before the first start. */
export const findSecretKey = (configured: string | undefined, dataDir: string): string | undefined =>
  configured ?? readIfThere(fileIn(dataDir))

const fileIn = (dataDir: string) => join(dataDir, 'secret')

function readIfThere(file: string): string | undefined {
  try {
    return requireComplete(file, readFileSync(file, 'utf8').trim())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Keys derived from an empty secret could be derived by anyone. */
function requireComplete(file: string, secret: string): string {
  if (secret.length >= 32) return secret
  throw new Error(`${file} is incomplete: delete it. Everyone then has to sign in again.`)
}

/** Nodes that share the folder may start at once: the first complete secret wins and the others use it. */
function makeSecret(file: string): string {
  const own = `${file}.${randomBytes(6).toString('hex')}`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(own, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(own, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(own)
  }
  return readFileSync(file, 'utf8').trim()
}

const randomLength = 43
const sealLength = 22

/**
 * A new opaque token: 256 random bits, stored only as a hash, and a 128-bit MAC that detects made-up tokens without a
 * look-up.
 */
export const newToken = (key: Uint8Array) => seal(key, randomBytes(32).toString('base64url'))

/** A token of these 256 bits, which only the key's holder can compute. */
export const seal = (key: Uint8Array, random: string) => random + sealOf(key, random)

/** True if the token was made here with one of the keys. It may have expired, or never have been issued. */
export function isSealed(keys: readonly Uint8Array[], token: string): boolean {
  if (token.length !== randomLength + sealLength) return false
  const seal = Buffer.from(token.slice(randomLength))
  if (seal.length !== sealLength) return false
  return keys.some((key) => timingSafeEqual(seal, Buffer.from(sealOf(key, token.slice(0, randomLength)))))
}

/**
 * The hash of a token that was made here with one of the keys, else undefined. A MAC takes far longer than a hash, and each request asks:
 * tokens of ours are remembered, by their hash.
 */
export function sealedHashes(keys: readonly Uint8Array[], most = 20_000): (token: string) => string | undefined {
  const known = new Set<string>()
  return (token) => {
    const hash = sha256(token).toString('base64')
    if (known.has(hash)) return hash
    if (!isSealed(keys, token)) return undefined
    if (known.size === most) known.clear()
    known.add(hash)
    return hash
  }
}

/** 8 hexadecimal digits that tell keys apart, and nothing of the key. */
export const idOfKey = (key: Uint8Array): string => hash('sha256', key, 'hex').slice(0, 8)

const sealOf = (key: Uint8Array, random: string) => hmac(key, random).slice(0, sealLength)

export const sha256 = (text: string) => hash('sha256', text, 'buffer')
export const hmac = (key: Uint8Array, text: string | Buffer) =>
  createHmac('sha256', ready(key)).update(text).digest('base64url')

/** Making a key ready takes five times as long as the rest of an HMAC, and each sealed entry and each new token needs one. */
const readyKeys = new WeakMap<Uint8Array, KeyObject>()

function ready(key: Uint8Array): KeyObject {
  const known = readyKeys.get(key) ?? createSecretKey(key)
  readyKeys.set(key, known)
  return known
}

/** True if both are equal. Takes the same time wherever they differ. */
export const isSameText = (one: string, other: string) => timingSafeEqual(sha256(one), sha256(other))

const cipher = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/** Encrypts a secret for storage. It opens only with the same key and `of`, such as the uid of its owner. */
export function encrypt(key: Uint8Array, secret: Buffer, of: string): Buffer {
  const nonce = randomBytes(nonceLength)
  const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(of))
  return Buffer.concat([nonce, sealing.update(secret), sealing.final(), sealing.getAuthTag()])
}

/** Undefined if it was encrypted with none of the keys, for another owner, or changed since. */
export function decrypt(keys: readonly Uint8Array[], sealed: Buffer, of: string): Buffer | undefined {
  for (const key of keys) {
    const opened = open(key, sealed, of)
    if (opened) return opened
  }
  return undefined
}

function open(key: Uint8Array, sealed: Buffer, of: string): Buffer | undefined {
  const opening = createDecipheriv(cipher, key, sealed.subarray(0, nonceLength)).setAAD(Buffer.from(of))
  opening.setAuthTag(sealed.subarray(-tagLength))
  try {
    return Buffer.concat([opening.update(sealed.subarray(nonceLength, -tagLength)), opening.final()])
  } catch {
    return undefined
  }
}
