/** What a call of the console needs (C§3). `any`: every administrator. */
export const consoleRights = ['people', 'wardens', 'places', 'lists', 'tables', 'plans', 'organisation'] as const
export type ConsoleRight = (typeof consoleRights)[number]

/** How far a grant reaches: the whole organisation, one site, or the members of one group. */
export const reachKinds = ['organisation', 'site', 'group'] as const
export type ReachKind = (typeof reachKinds)[number]

export const consoleLimits = {
  /** Minutes for which a code counts as given for confirmed calls (ORG-24). */
  confirmedMinutes: 10,
  /** Minutes without a request after which a session is over (ORG-22). */
  idleMinutes: 60,
  /** Hours for which a session lasts at most (ORG-22). */
  sessionHours: 12,
  /** Minutes for which the ticket between password and code is valid. */
  ticketMinutes: 5,
  /** Days for which an invitation is valid (PPL-12). */
  invitationDays: 7,
  /** Number of recovery codes (ORG-20). */
  recoveryCodes: 10,
  /** Milliseconds between two looks at what happens now. */
  nowPoll: 15_000,
} as const

/** What an organisation may have deleted after days of its own (ORG-37), and the fewest days of each. */
export const retentionKinds = ['messages', 'events', 'audit', 'plans'] as const
export type RetentionKind = (typeof retentionKinds)[number]
export const leastDays: Readonly<Record<RetentionKind, number>> = { messages: 30, events: 365, audit: 365, plans: 1 }

/** Kinds of entries of the audit log (ORG-39). */
export const auditKinds = [
  'people',
  'places',
  'wardens',
  'plans',
  'lists',
  'tables',
  'administration',
  'sign-in',
  'events',
] as const
export type AuditKind = (typeof auditKinds)[number]
