import { decrypt, encrypt } from '#server/platform/secrets.ts'
import type { CellKeys } from './names.ts'

/** Between the clocks of two cells, and the life of a question. */
const toleranceMs = 60_000

/**
 * What one cell asks another, sealed with the key that only cells have. So the directory cannot send a password to a place of its
 * own by naming that as the address of a cell, and no one else can ask.
 */
export const sealQuestion = ({ messages }: CellKeys, to: string, asked: object, now: Date): string =>
  seal(messages, { at: now.getTime(), asked }, `question to ${to}`)

/** Undefined if it was sealed with another key, for another cell, or more than a minute ago. */
export function openQuestion({ messages }: CellKeys, to: string, sealed: string, now: Date): unknown {
  const opened = open(messages, sealed, `question to ${to}`) as { at: number; asked: unknown } | undefined
  if (!opened || !(Math.abs(now.getTime() - opened.at) <= toleranceMs)) return undefined
  return opened.asked
}

/** An answer belongs to one question. */
export const sealAnswer = ({ messages }: CellKeys, question: string, answer: object): string =>
  seal(messages, answer, `answer to ${question}`)

/** Undefined if it is none to this question. */
export const openAnswer = ({ messages }: CellKeys, question: string, sealed: string): unknown =>
  open(messages, sealed, `answer to ${question}`)

const seal = (key: Uint8Array, content: object, of: string) =>
  encrypt(key, Buffer.from(JSON.stringify(content)), of).toString('base64url')

/** Nonce and tag. */
const leastBytes = 28

function open(key: Uint8Array, sealed: string, of: string): unknown {
  const bytes = Buffer.from(sealed, 'base64url')
  const content = bytes.length > leastBytes ? decrypt([key], bytes, of) : undefined
  return content && JSON.parse(content.toString())
}
