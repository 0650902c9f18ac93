import { Refusal } from './errors.ts'

/** Throws `invalid_request` for a text with control characters other than a new line. */
export function requirePlainText(text: string, field: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(text))
    throw new Refusal('invalid_request', 'Use plain text.', [field])
}
