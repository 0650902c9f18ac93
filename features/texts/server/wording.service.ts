import { linkCodeLength, linkPlaceholder } from '#features/self-report/kinds.ts'
import { asSent, segmentsOf } from '../segments.ts'

/** The reason stored with texts while no gateway is set up. */
export const noGatewaySetUp = 'No SMS provider is set up.'

const place = linkPlaceholder

/**
 * Puts the person's own link into its placeholder. The last match is the placeholder, because an event's message may
 * contain the same word. The token follows `#`, which browsers send to no server.
 */
export function fillLink(body: string, appUrl: string, name: 'token' | 'reportInToken', token: string): string {
  const at = body.lastIndexOf(place)
  return at < 0 ? body : `${body.slice(0, at)}${appUrl}/login#${name}=${token}${body.slice(at + place.length)}`
}

/** Puts the person's own page into each place for it. Another text is as it was. */
export const fillSelfLink = (body: string, appUrl: string, code: string): string =>
  body.replaceAll(linkPlaceholder, () => `${appUrl}/s/${code}`)

/** The text as long as it will be. Codes have the same length. */
export const withLinkLength = (body: string, appUrl: string): string =>
  fillSelfLink(body, appUrl, 'x'.repeat(linkCodeLength))

/** Segments of a text with its link. Tokens of one kind have the same length, so any token gives the count. */
export const countSegments = (text: string): number => segmentsOf(asSent(text)).segments.length
