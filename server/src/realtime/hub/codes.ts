/** A command's error reply. A temporary one is tried again by the client; the others end the subscription or the connection. */
export interface ReplyError {
  code: number
  message: string
  temporary?: boolean
}

/** A close of the socket. The client comes back by itself after 3000–3499 and stays away after 3500–3999. */
export interface CloseCode {
  code: number
  reason: string
}

export const replyErrors = {
  internal: { code: 100, message: 'internal server error', temporary: true },
  permissionDenied: { code: 103, message: 'permission denied' },
  methodNotFound: { code: 104, message: 'method not found' },
  alreadySubscribed: { code: 105, message: 'already subscribed' },
  tokenExpired: { code: 109, message: 'token expired' },
  /** At a refresh the client gives up the connection unless the error is temporary: it then fetches another token. */
  refreshExpired: { code: 109, message: 'token expired', temporary: true },
  /** For a subscribe under an expired connection: 109 would end the subscription for good, this one waits for the refresh. */
  connectionExpired: { code: 110, message: 'expired', temporary: true },
  tooManyRequests: { code: 111, message: 'too many requests', temporary: true },
  unrecoverablePosition: { code: 112, message: 'unrecoverable position' },
} as const satisfies Record<string, ReplyError>

export const closeCodes = {
  /** No connect command in time: a slow phone may try again. */
  stale: { code: 3000, reason: 'stale' },
  shutdown: { code: 3001, reason: 'shutdown' },
  expired: { code: 3005, reason: 'connection expired' },
  slow: { code: 3008, reason: 'slow' },
  insufficientState: { code: 3010, reason: 'insufficient state' },
  /** What this process says may be old: another one may know. */
  blind: { code: 3011, reason: 'the journal cannot be read' },
  noPong: { code: 3012, reason: 'no pong' },
  tooManyRequests: { code: 3013, reason: 'too many requests' },
  invalidToken: { code: 3500, reason: 'invalid token' },
  badRequest: { code: 3501, reason: 'bad request' },
  signedOut: { code: 3503, reason: 'signed out' },
  removedFromEvent: { code: 3503, reason: 'removed from event' },
  unauthorized: { code: 3503, reason: 'not authorised' },
  /** The same session has opened newer ones. */
  connectionLimit: { code: 3504, reason: 'connection limit' },
  eventEnded: { code: 3503, reason: 'event ended' },
} as const satisfies Record<string, CloseCode>

/** Sent in an `unsubscribe` push: from 2500 on the client subscribes again by itself, asking to recover. */
export const unsubscribeCodes = {
  noLongerAllowed: { code: 2000, reason: 'server unsubscribe' },
  insufficientState: { code: 2500, reason: 'insufficient state' },
} as const
