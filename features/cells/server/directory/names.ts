import { hkdfSync } from 'node:crypto'
import type { NameKind } from '#server/http/services.ts'
import { hmac, sha256 } from '#server/platform/secrets.ts'

/** What only cells have, derived from DIRECTORY_NAME_KEY. */
export interface CellKeys {
  /** Makes of a name what the directory holds, which can neither read nor guess it. */
  names: Uint8Array
  /** Seals what cells ask each other, and the answers. */
  messages: Uint8Array
}

export function cellKeysOf(nameKey: string): CellKeys {
  const derive = (use: string) => new Uint8Array(hkdfSync('sha256', nameKey, 'evac cells', use, 32))
  return { names: derive('names'), messages: derive('messages') }
}

const hashLength = 22

/** Of a name, or the mark of a list: 132 bits of an HMAC, as 22 letters of base64url. */
export const hashName = ({ names }: CellKeys, kind: NameKind | 'mark', name: string): string =>
  hmac(names, `${kind} ${name.trim().toLowerCase()}`).slice(0, hashLength)

/** How DIRECTORY_CELLS names the key of a cell: in hexadecimal digits. */
export const hashOfKey = (key: string): string => sha256(key).toString('hex')
