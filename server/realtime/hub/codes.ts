/**
 * An error reply to a command. The client retries a temporary one; any other ends the subscription or the connection.
 */
export interface ReplyError {
  code: number
  message: string
  temporary?: boolean
}

/** Closing a socket. The client reconnects after codes 3000–3499 and does not after 3500–3999. */
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
  /**
   * At a refresh, the client gives up the connection unless the error is temporary. After a temporary one it fetches
   * another token.
   */
  refreshExpired: { code: 109, message: 'token expired', temporary: true },
  /**
   * For a subscribe on an expired connection: 109 would end the subscription for good, this one waits for the refresh.
   */
  connectionExpired: { code: 110, message: 'expired', temporary: true },
  tooManyRequests: { code: 111, message: 'too many requests', temporary: true },
  unrecoverablePosition: { code: 112, message: 'unrecoverable position' },
} as const satisfies Record<string, ReplyError>

export const closeCodes = {
  /** No connect command in time. A slow phone may retry. */
  stale: { code: 3000, reason: 'stale' },
  shutdown: { code: 3001, reason: 'shutdown' },
  expired: { code: 3005, reason: 'connection expired' },
  slow: { code: 3008, reason: 'slow' },
  insufficientState: { code: 3010, reason: 'insufficient state' },
  /** This process's data may be outdated. Another process may have newer data. */
  blind: { code: 3011, reason: 'the journal cannot be read' },
  noPong: { code: 3012, reason: 'no pong' },
  tooManyRequests: { code: 3013, reason: 'too many requests' },
  invalidToken: { code: 3500, reason: 'invalid token' },
  badRequest: { code: 3501, reason: 'bad request' },
  signedOut: { code: 3503, reason: 'signed out' },
  removedFromEvent: { code: 3503, reason: 'removed from event' },
  unauthorized: { code: 3503, reason: 'not authorised' },
  /** The same session has opened newer sockets. */
  connectionLimit: { code: 3504, reason: 'connection limit' },
  eventEnded: { code: 3503, reason: 'event ended' },
} as const satisfies Record<string, CloseCode>

/** Sent in an `unsubscribe` push. After codes from 2500 on, the client resubscribes by itself and asks to recover. */
export const unsubscribeCodes = {
  noLongerAllowed: { code: 2000, reason: 'server unsubscribe' },
  insufficientState: { code: 2500, reason: 'insufficient state' },
} as const
