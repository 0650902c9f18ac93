import { randomBytes, scryptSync } from 'node:crypto'
import { decrypt, encrypt, keyring, type Secrets } from '#server/platform/secrets.ts'

/** What seals second factors in a file, from a passphrase that both ends know. */
export interface PassKey {
  key: Uint8Array
  salt: string
}

/** About half a second, and 128 MB. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

export function passKeyOf(passphrase: string, salt = randomBytes(16).toString('base64')): PassKey {
  return { key: new Uint8Array(scryptSync(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), 32, cost)), salt }
}

type Keys = Pick<Secrets, 'secondFactors' | 'former'>

/** The second factor of the account, sealed for the file. Undefined: no SECRET_KEY of this installation opens it. */
export function toFile(secrets: Keys, { key }: PassKey, sealed: Buffer, accountUid: string): Buffer | undefined {
  const secret = decrypt(keyring(secrets, 'secondFactors'), sealed, accountUid)
  return secret && encrypt(key, secret, accountUid)
}

/** The same on the way back. Undefined: the passphrase is another one. */
export function fromFile(secrets: Keys, { key }: PassKey, sealed: Buffer, accountUid: string): Buffer | undefined {
  const secret = decrypt([key], sealed, accountUid)
  return secret && encrypt(secrets.secondFactors, secret, accountUid)
}
