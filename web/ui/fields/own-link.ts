import { linkCodeLength, linkPlaceholder } from '#features/self-report/kinds.ts'

/** The text as long as it is sent. The links of all receivers have the same length. */
export const withLink = (text: string): string =>
  text.replaceAll(linkPlaceholder, `${location.origin}/s/${'x'.repeat(linkCodeLength)}`)
