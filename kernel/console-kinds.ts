/** What a call of the console needs. `any`: every administrator. */
export const consoleRights = [
  ...(['people', 'wardens', 'places', 'lists', 'tables', 'plans', 'records', 'organisation'] as const),
] as const

export type ConsoleRight = (typeof consoleRights)[number]

/** How far a grant reaches: the whole organisation, one site, or the members of one group. */
export const reachKinds = ['organisation', 'site', 'group'] as const

export type ReachKind = (typeof reachKinds)[number]

export const consoleLimits = {
  /** Minutes for which a code counts as given for confirmed calls. */
  confirmedMinutes: 10,
  /** Minutes without a request after which a session is over. */
  idleMinutes: 60,
  /** Hours for which a session lasts at most. */
  sessionHours: 12,
  /** Minutes for which the ticket between password and code is valid. */
  ticketMinutes: 5,
  invitationDays: 7,
  recoveryCodes: 10,
  /** Milliseconds between two looks at what happens now. */
  nowPoll: 15_000,
} as const

/** What an organisation may have deleted after days of its own, and the fewest days of each. */
export const retentionKinds = ['messages', 'events', 'audit', 'plans'] as const

export type RetentionKind = (typeof retentionKinds)[number]

export const leastDays: Readonly<Record<RetentionKind, number>> = { messages: 30, events: 365, audit: 365, plans: 1 }

/** Kinds of entries of the audit log. */
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

/** Countries whose mobile numbers are read without a country code. */
export const countryCodes = ['AU', 'NZ', 'US', 'UK'] as const

/** Who agrees that wardens read a plan. */
export const planConsents = ['person', 'guardian'] as const

/** Months after which a plan is looked at again at the latest. */
export const longestReviewMonths = 24

/** Groups of an organisation, members of a group, and people of one change of members. */
export const groupLimits = { groups: 2_000, members: 100_000, peopleOfChange: 500 } as const

/** Rows that a list holds at most. */
export const listLimits = {
  floorStatuses: 20,
  eventTypes: 100,
  checklist: 200,
  templates: 500,
  documents: 500,
} as const

/** Bytes of a document, and of all documents of an organisation. */
export const documentBytes = { each: 20 * 1024 * 1024, all: 2 * 1024 * 1024 * 1024 } as const

export const colourNames = ['green', 'yellow', 'red', 'orange', 'grey', 'blue'] as const

/** Tables that administrators bring in. */
export const uploadLimits = {
  /** Bytes of a part, of a file, and of all files. */
  part: 4 * 1024 * 1024,
  file: 300 * 1024 * 1024,
  all: 600 * 1024 * 1024,
  /** Bytes of all uploads of an organisation that are not applied. */
  ofOrganisation: 1_200 * 1024 * 1024,
  /** Problems that are shown. All are in the file. */
  problemsShown: 100,
  /** Changes that are one transaction, and that may be applied while an event runs. */
  atOnce: 5_000,
  /** Rows of a table with other headings. */
  mappedRows: 50_000,
  /** Uploads of a person that are neither applied nor dropped. */
  ofPerson: 10,
  /** Files that are named and left out. */
  leftOut: 100,
  inZip: 2_000,
  /** Hours for which parts are kept. */
  partsHours: 24,
  /** Days for which the last upload can be undone. */
  undoDays: 7,
} as const

/**
 * What a column of a table with other headings can be. `full_name` stands for first and last name. `building` says
 * which floor of that name is meant.
 */
export const mappedColumns = [
  'code',
  'first_name',
  'last_name',
  'full_name',
  'email',
  'mobile',
  'building',
  'floor',
] as const

export type MappedColumn = (typeof mappedColumns)[number]

/**
 * Whose help the fire service reads: of everyone who has not said no, or only of those who have said yes.
 */
export const sharePlans = ['unless no', 'only yes'] as const

export const uploadStates = [
  ...(['open', 'checking', 'checked', 'applying', 'applied', 'undoing', 'undone', 'failed', 'dropped'] as const),
] as const

export type UploadState = (typeof uploadStates)[number]

/** What an upload is of: tables, or an act on ticked people. */
export const uploadKinds = ['tables', 'invite', 'move', 'add_to_group', 'take_out_of_group', 'deactivate'] as const

export type UploadKind = (typeof uploadKinds)[number]

/** What becomes of a row: `left` says why it stays as it is. */
export const uploadChangeKinds = ['added', 'changed', 'ended', 'left'] as const
