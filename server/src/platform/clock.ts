/** The server's clock. Tests put another one in its place; nothing else reads the time of day for a rule. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
