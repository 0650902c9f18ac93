import { phoneStorage } from '../../lib/phone-storage.ts'
import { storageKeys } from '../stored-auth.ts'

const askedMs = 10 * 60_000

export const noteAsked = () => phoneStorage.set(storageKeys.linkAskedAt, String(Date.now()))

/** A link that opens here was asked for here. */
export function hasAsked(): boolean {
  const ago = Date.now() - Number(phoneStorage.get(storageKeys.linkAskedAt))
  return ago >= 0 && ago < askedMs
}
