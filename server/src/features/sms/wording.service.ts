import { segmentsOf } from '@evac/contract/sms-segments.ts'

/** The reason stored with texts while no gateway is set up. */
export const noGatewaySetUp = 'No SMS provider is set up.'

const place = '{link}'

/**
 * Puts the person's own link into its placeholder. The last match is the placeholder, because an event's message may
 * contain the same word. The token follows `#`, which browsers send to no server (decision 0029).
 */
export function fillLink(body: string, appUrl: string, name: 'token' | 'reportInToken', token: string): string {
  const at = body.lastIndexOf(place)
  return at < 0 ? body : `${body.slice(0, at)}${appUrl}/login#${name}=${token}${body.slice(at + place.length)}`
}

/** Segments of a text with its link. Tokens of one kind have the same length, so any token gives the count. */
export const countSegments = (text: string): number => segmentsOf(text).segments.length
