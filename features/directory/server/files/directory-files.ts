import type { PgType } from '#server/platform/db/recordset.ts'

/** The files of an organisation, in reading order, and their columns (docs/import-format.md). */
export const directoryFiles = {
  organisation: format(
    'organisation.csv',
    'code! name! sms_allowed timezone country contact_email sms_daily_links sms_daily_alerts retain_messages_days retain_events_days retain_audit_days retain_peeps_days command_minutes coverage_minutes coverage_mail share_plans',
  ),
  sites: format('sites.csv', 'code! name! timezone drill_every_days drill_shifts active='),
  buildings: format('buildings.csv', 'site! code! name! active='),
  floors: format('floors.csv', 'building! code! name! level! kind active='),
  roles: format('roles.csv', 'code! name! area_domain! modules! command_order active'),
  people: format(
    'people.csv',
    'code! first_name! last_name! email username mobile password floor kind= visit_date= is_client_master active=',
  ),
  groups: format('groups.csv', 'code! name! active'),
  groupMembers: format('group_members.csv', 'group! person!'),
  peeps: format('peeps.csv', 'person! disability assistance other summary consent consent_on review_on fire_service'),
  assignments: format('assignments.csv', 'person! role! site! locations= date_from! date_to! status'),
  eventTypes: format('event_types.csv', 'code! type! description message kind active='),
  floorStatuses: format('floor_statuses.csv', 'code! name! colour! display_order! in_use means_clear'),
  checklist: format('checklist.csv', 'code! text! display_order! active='),
  templates: format('templates.csv', 'code! type! text! automated_response active='),
  documents: format('documents.csv', 'code! name! url= file= site role person active='),
}

/**
 * The columns of each table that an import owns, in the order of its file, with their PostgreSQL types. An unlisted column
 * of a row is not stored.
 */
export const storedColumns = {
  site: {
    ...{
      code: 'text',
      name: 'text',
      timezone: 'text',
      drillEveryDays: 'integer',
      drillShifts: 'text',
      active: 'boolean',
    },
  },
  building: { siteUid: 'uuid', code: 'text', name: 'text', active: 'boolean' },
  floor: { buildingUid: 'uuid', code: 'text', name: 'text', level: 'integer', kind: 'text', active: 'boolean' },
  role: {
    code: 'text',
    name: 'text',
    areaDomain: 'text',
    modules: 'text[]',
    commandOrder: 'integer',
    active: 'boolean',
  },
  person: {
    code: 'text',
    accountUid: 'uuid',
    firstName: 'text',
    lastName: 'text',
    email: 'text',
    mobile: 'text',
    primaryFloorUid: 'uuid',
    visitingBuildingUid: 'uuid',
    kind: 'text',
    visitDate: 'date',
    isClientMaster: 'boolean',
    active: 'boolean',
  },
  group: { code: 'text', name: 'text', active: 'boolean' },
  peep: {
    personUid: 'uuid',
    disability: 'text',
    assistance: 'text',
    other: 'text',
    summary: 'text',
    consent: 'text',
    consentOn: 'date',
    reviewOn: 'date',
    fireService: 'boolean',
  },
  eventType: {
    code: 'text',
    type: 'text',
    description: 'text',
    message: 'text',
    defaultKind: 'text',
    active: 'boolean',
  },
  floorStatus: {
    code: 'text',
    name: 'text',
    colour: 'text',
    displayOrder: 'integer',
    inUse: 'boolean',
    meansClear: 'boolean',
  },
  checklistItem: { code: 'text', text: 'text', displayOrder: 'integer', active: 'boolean' },
  template: { code: 'text', type: 'text', text: 'text', automatedResponse: 'boolean', active: 'boolean' },
  document: {
    code: 'text',
    name: 'text',
    url: 'text',
    storageKey: 'text',
    siteUid: 'uuid',
    roleUid: 'uuid',
    personUid: 'uuid',
    active: 'boolean',
  },
} as const satisfies Record<string, Readonly<Record<string, PgType>>>

export interface FileFormat {
  file: string
  columns: readonly string[]
  /** Required columns. */
  required: readonly string[]
  /** Optional columns whose stored values stay if the file lacks them. */
  optional: readonly string[]
  /** Columns that are not named are passed over. */
  passesOver?: true
}

export type DirectoryFile = keyof typeof directoryFiles

/** `!` marks a required column, `=` one that its reader settles if the file lacks it. Stored values of any other missing column stay. */
function format(file: string, columns: string): FileFormat {
  const words = columns.split(' ')
  return {
    file,
    columns: words.map((word) => word.replace(/[!=]$/, '')),
    required: words.filter((word) => word.endsWith('!')).map((word) => word.slice(0, -1)),
    optional: words.filter((word) => !/[!=]$/.test(word)),
  }
}
