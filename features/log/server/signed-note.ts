import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { sha256 } from './merkle.ts'

/** Signs heads. Its name is the host, without spaces and plus. */
export interface Signer {
  name: string
  /** 8 hexadecimal digits. */
  keyId: string
  /** Ed25519, 32 bytes. */
  publicKey: Buffer
  /** The signed note of a text that ends in a new line (C2SP signed-note). */
  sign(text: string): string
}

/** PKCS #8 of an Ed25519 key without its 32 bytes (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const ed25519 = Buffer.from([1])

/** Alike on all nodes with the same secret. */
export function openSigner(seed: Uint8Array, appUrl: string): Signer {
  const name = new URL(appUrl).host
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  const id = sha256(Buffer.concat([Buffer.from(`${name}\n`), ed25519, publicKey])).subarray(0, 4)
  return {
    name,
    keyId: id.toString('hex'),
    publicKey,
    sign: (text) => {
      const signature = Buffer.concat([id, sign(null, Buffer.from(text), key)])
      return `${text}\n— ${name} ${signature.toString('base64')}\n`
    },
  }
}

/** The key as `record-check.mjs` and other tools of C2SP read it. */
export const verifierKey = ({ name, keyId, publicKey }: Omit<Signer, 'sign'>): string =>
  `${name}+${keyId}+${Buffer.concat([ed25519, publicKey]).toString('base64')}`

/** The id of the key that has signed this note. */
export const keyIdOf = (note: string): string =>
  Buffer.from(note.trimEnd().split(' ').at(-1) ?? '', 'base64')
    .subarray(0, 4)
    .toString('hex')

/** DER of an Ed25519 public key without its 32 bytes. */
const spki = Buffer.from('302a300506032b6570032100', 'hex')

/** True if the key of the signer has signed the note. */
export function isSignedBy({ name, publicKey }: Omit<Signer, 'sign'>, note: string): boolean {
  const cut = note.lastIndexOf('\n\n') + 1
  const key = createPublicKey({ key: Buffer.concat([spki, publicKey]), format: 'der', type: 'spki' })
  const mark = `— ${name} `
  const line =
    note
      .slice(cut + 1)
      .split('\n')
      .find((one) => one.startsWith(mark)) ?? ''
  const signature = Buffer.from(line.slice(mark.length), 'base64').subarray(4)
  return verify(null, Buffer.from(note.slice(0, cut)), key, signature)
}
