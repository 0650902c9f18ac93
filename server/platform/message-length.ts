import * as limits from '#kernel/limits.ts'
import { Refusal } from './errors.ts'

/** The schema counts characters, phones count UTF-16 units. Throws `invalid_request`. */
export function requireFit(text: string, field: string): void {
  if (text.length > limits.messageLength)
    throw new Refusal('invalid_request', `A message has at most ${limits.messageLength} characters.`, [field])
}
