import { randomInt } from 'node:crypto'
import { hmac } from '#server/platform/secrets.ts'
import { linkCodeLength, posterCodeLength, type ReportWay } from '../../kinds.ts'

/** Letters and digits alone: a phone that makes links of addresses may leave out a mark at their end. */
const linkAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Posters are typed, too: no letter looks like a digit. */
const posterAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** The code of a personal link, derived from its uid when needed: 95 bits. Only its hash is stored. */
export function linkCode(key: Uint8Array, uid: string): string {
  let number = BigInt(`0x${Buffer.from(hmac(key, uid), 'base64url').toString('hex')}`)
  let code = ''
  for (let at = 0; at < linkCodeLength; at++) {
    code += linkAlphabet[Number(number % 62n)]
    number /= 62n
  }
  return code
}

export const newPosterCode = (): string =>
  Array.from({ length: posterCodeLength }, () => posterAlphabet[randomInt(posterAlphabet.length)]).join('')

/** The code as it is looked up. Undefined: no address of ours has it. */
export function readCode(text = ''): { way: ReportWay; code: string } | undefined {
  if (text.length === linkCodeLength && /^[0-9A-Za-z]+$/.test(text)) return { way: 'link', code: text }
  if (text.length === posterCodeLength && /^[0-9A-Za-z]+$/.test(text))
    return { way: 'poster', code: text.toLowerCase() }
  return undefined
}
