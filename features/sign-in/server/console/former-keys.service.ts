import { noteKeyOfRecoveryCodes, resealSecondFactor } from '#features/authority/server/writes/second-factors.queries.ts'
import type { Db } from '#server/platform/db/db.ts'
import { decrypt, encrypt, idOfKey, keyring, type Secrets } from '#server/platform/secrets.ts'
import { countCodesOfOtherKeys, listSecondFactors } from './former-keys.queries.ts'

/**
 * Seals each second factor with the key of now that a former one has sealed, so that no one has to sign in for it. Any number
 * of workers may run it, also with different keys.
 */
export async function sealAnew(system: Db, secrets: Secrets): Promise<void> {
  const [key, ...former] = keyring(secrets, 'secondFactors')
  // with one key there is no other that a node of the version before can have used
  if (former.length === 0) return noteKeyOfRecoveryCodes(system, idOfKey(secrets.recoveryCodes))
  for (const { accountUid, secret: from } of await listSecondFactors(system)) {
    if (decrypt([key], from, accountUid)) continue
    const secret = decrypt(former, from, accountUid)
    if (secret) await resealSecondFactor(system, accountUid, { from, to: encrypt(key, secret, accountUid) })
  }
}

export interface Hanging {
  /** Second factors that only a former key opens. */
  factors: number
  /** Second factors that no key of the settings opens: their owners cannot sign in. */
  lost: number
  /** Unused recovery codes that only a former key knows, and how many accounts have them. */
  codes: number
  accounts: number
}

/** What of sign-ins hangs on a key other than SECRET_KEY. */
export async function countHanging(db: Db, secrets: Secrets): Promise<Hanging> {
  const [key, ...former] = keyring(secrets, 'secondFactors')
  const others = (await listSecondFactors(db)).filter(({ accountUid, secret }) => !decrypt([key], secret, accountUid))
  const factors = others.filter(({ accountUid, secret }) => decrypt(former, secret, accountUid)).length
  const codes = await countCodesOfOtherKeys(db, idOfKey(secrets.recoveryCodes))
  return { factors, lost: others.length - factors, ...codes }
}
