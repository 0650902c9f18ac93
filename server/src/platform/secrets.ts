import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Keys for each use, derived from one secret so that none can stand in for another. */
export interface Secrets {
  /** Seals access tokens. */
  access: Uint8Array
  /** Works out the access token that a rejoin opens, for as long as it may be asked for again. */
  rejoins: Uint8Array
  /** Signs real-time tokens. */
  realtime: Uint8Array
  /** Makes card tokens. */
  cards: Uint8Array
  /** Makes the tokens of report-in links. */
  links: Uint8Array
  /** Makes the tokens of mobile sign-in links. */
  mobileLinks: Uint8Array
  /** Makes the tokens of links to set a new password. */
  passwordResets: Uint8Array
  /** Signs links to stored documents. */
  documents: Uint8Array
  /** Seals what a phone keeps of its last sign-in. */
  devices: Uint8Array
}

export function deriveSecrets(secretKey: string): Secrets {
  const derive = (use: string) => new Uint8Array(hkdfSync('sha256', secretKey, 'evac', use, 32))
  return {
    access: derive('access'),
    rejoins: derive('rejoins'),
    realtime: derive('realtime'),
    cards: derive('cards'),
    links: derive('links'),
    mobileLinks: derive('mobile links'),
    passwordResets: derive('password resets'),
    documents: derive('documents'),
    devices: derive('devices'),
  }
}

/** The configured secret, or the one generated at first start into the data folder (readable by its owner only). */
export function loadSecretKey(configured: string | undefined, dataDir: string): string {
  if (configured) return configured
  const file = join(dataDir, 'secret')
  return readIfThere(file) ?? makeSecret(file)
}

function readIfThere(file: string): string | undefined {
  try {
    return whole(file, readFileSync(file, 'utf8').trim())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Of nothing keys can be derived, too, and by anybody. */
function whole(file: string, secret: string): string {
  if (secret.length >= 32) return secret
  throw new Error(`${file} holds no whole secret: delete it, and everybody signs in anew.`)
}

/** Nodes that share the folder may start at once: the first secret stands, whole, and the others take it. */
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
 * A new opaque token: 256 random bits, of which only the hash is ever stored, and a seal of 128 bits that tells ours from
 * made-up ones without a look-up.
 */
export const newToken = (key: Uint8Array) => seal(key, randomBytes(32).toString('base64url'))

/** A token of these 256 bits, which nobody else can work out. */
export const seal = (key: Uint8Array, random: string) => random + sealOf(key, random)

/** Made here with this key, at whatever time. It may have ended since, or never have been given out. */
export function isSealed(key: Uint8Array, token: string): boolean {
  if (token.length !== randomLength + sealLength) return false
  const seal = Buffer.from(token.slice(randomLength))
  return seal.length === sealLength && timingSafeEqual(seal, Buffer.from(sealOf(key, token.slice(0, randomLength))))
}

const sealOf = (key: Uint8Array, random: string) => hmac(key, random).slice(0, sealLength)

export const sha256 = (text: string) => createHash('sha256').update(text).digest()
export const hmac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest('base64url')
