/** The server's clock. Rules read the time of day from here only, so tests can replace it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
