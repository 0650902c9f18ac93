import { segmentsOf } from '@evac/contract/sms-segments.ts'

/** What a text says that nothing can send. */
export const noGatewaySetUp = 'No SMS provider is set up.'

const place = '{link}'

/**
 * The person's own link in the place kept for it. The last one is: an event's message may hold the same word. The token
 * stands behind `#`, which a browser sends to no server (decision 0029).
 */
export function fillLink(body: string, appUrl: string, name: 'token' | 'reportInToken', token: string): string {
  const at = body.lastIndexOf(place)
  return at < 0 ? body : `${body.slice(0, at)}${appUrl}/login#${name}=${token}${body.slice(at + place.length)}`
}

/** Segments of a text as it will be sent. Tokens of a kind have one length, so one stands for all. */
export const countSegments = (text: string): number => segmentsOf(text).segments.length
