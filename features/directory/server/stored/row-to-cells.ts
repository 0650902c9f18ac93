import type { DirectoryFile } from '../files/directory-files.ts'
import type { Cells } from '../files/row-source.ts'
import type { ExistingAssignment } from './load-code-index.queries.ts'
import type { Held, StoredClient } from './stored-rows.ts'
import type { HeldRow, TargetName } from './write.queries.ts'

type Row = Readonly<Record<string, unknown>>
type Codes = ReadonlyMap<unknown, string>

/** The file of each table. */
export const fileOf = {
  site: 'sites',
  building: 'buildings',
  floor: 'floors',
  role: 'roles',
  person: 'people',
  group: 'groups',
  peep: 'peeps',
  eventType: 'eventTypes',
  floorStatus: 'floorStatuses',
  checklistItem: 'checklist',
  template: 'templates',
  document: 'documents',
} as const satisfies Record<TargetName, DirectoryFile>

/** Writes stored rows as cells of the import format, which the readers read back. */
export class StoredCells {
  /** By uid. Floors as `BUILDING/FLOOR`. */
  readonly #codes: Codes

  constructor(codes: Codes) {
    this.#codes = codes
  }

  static of(held: Pick<Held, 'site' | 'building' | 'floor' | 'role' | 'person' | 'group'>): StoredCells {
    const codes = new Map<unknown, string>()
    for (const rows of [held.site, held.building, held.role, held.person, held.group])
      for (const [uid, { code }] of rows as ReadonlyMap<string, { code: unknown }>) codes.set(uid, String(code))
    for (const [uid, { buildingUid, code }] of held.floor) codes.set(uid, `${codes.get(buildingUid)}/${code}`)
    return new StoredCells(codes)
  }

  /** Without user name and password, which stand with the account. */
  row<N extends TargetName>(name: N, row: HeldRow<N>): Cells {
    const cells: (row: Row, codes: (uid: unknown) => string) => Cells = writers[name]
    return cells(row, (uid) => this.#code(uid))
  }

  /** Without the status, which only a changed cell sets. */
  assignment({
    personUid,
    roleUid,
    siteUid,
    locations,
    dateFrom,
    dateTo,
  }: Pick<ExistingAssignment, 'personUid' | 'roleUid' | 'siteUid' | 'locations' | 'dateFrom' | 'dateTo'>): Cells {
    return {
      person: this.#code(personUid),
      role: this.#code(roleUid),
      site: this.#code(siteUid),
      locations: locations.map((place) => this.#code(place.slice(1))).join(';'),
      date_from: dateFrom,
      date_to: dateTo,
    }
  }

  member({ groupUid, personUid }: { groupUid: string; personUid: string }): Cells {
    return { group: this.#code(groupUid), person: this.#code(personUid) }
  }

  #code(uid: unknown): string {
    return this.#codes.get(uid) ?? ''
  }
}

const text = (value: unknown) => (value === null || value === undefined ? '' : String(value))
const yesNo = (value: unknown) => (value ? 'yes' : 'no')

export const organisationCells = (client: NonNullable<StoredClient>): Cells => ({
  ...{ code: client.code, name: client.name, timezone: client.timezone, country: client.country },
  sms_allowed: yesNo(client.smsAllowed),
  contact_email: text(client.contactEmail),
  sms_daily_links: text(client.smsDailyLinks),
  sms_daily_alerts: text(client.smsDailyAlerts),
  retain_messages_days: text(client.retainMessagesDays),
  retain_events_days: text(client.retainEventsDays),
  retain_audit_days: text(client.retainAuditDays),
  retain_peeps_days: text(client.retainPeepsDays),
  command_minutes: text(client.commandMinutes),
  coverage_minutes: text(client.coverageMinutes),
  coverage_mail: yesNo(client.coverageMail),
  share_plans: client.sharePlans,
})

const writers: Record<TargetName, (row: Row, code: (uid: unknown) => string) => Cells> = {
  site: (row) => ({
    ...{ code: text(row.code), name: text(row.name), timezone: text(row.timezone) },
    ...{ drill_every_days: text(row.drillEveryDays), drill_shifts: text(row.drillShifts) },
    active: yesNo(row.active),
  }),
  building: (row, code) => ({
    ...{ site: code(row.siteUid), code: text(row.code), name: text(row.name) },
    active: yesNo(row.active),
  }),
  floor: (row, code) => ({
    building: code(row.buildingUid),
    ...{ code: text(row.code), name: text(row.name), level: text(row.level), kind: text(row.kind) },
    active: yesNo(row.active),
  }),
  role: (row) => ({
    ...{ code: text(row.code), name: text(row.name), area_domain: text(row.areaDomain) },
    modules: (row.modules as string[]).join(' '),
    command_order: text(row.commandOrder),
    active: yesNo(row.active),
  }),
  person: (row, code) => ({
    ...{ code: text(row.code), first_name: text(row.firstName), last_name: text(row.lastName) },
    email: text(row.email),
    mobile: row.mobile ? `+${row.mobile}` : '',
    floor: code(row.primaryFloorUid) || code(row.visitingBuildingUid),
    kind: text(row.kind),
    visit_date: text(row.visitDate),
    is_client_master: yesNo(row.isClientMaster),
    active: yesNo(row.active),
  }),
  group: (row) => ({ code: text(row.code), name: text(row.name), active: yesNo(row.active) }),
  peep: (row, code) => ({
    person: code(row.personUid),
    ...{ disability: text(row.disability), assistance: text(row.assistance) },
    ...{ other: text(row.other), summary: text(row.summary) },
    ...{ consent: text(row.consent), consent_on: text(row.consentOn), review_on: text(row.reviewOn) },
    fire_service: row.fireService === null ? '' : yesNo(row.fireService),
  }),
  eventType: (row) => ({
    ...{ code: text(row.code), type: text(row.type), description: text(row.description), message: text(row.message) },
    ...{ kind: text(row.defaultKind), active: yesNo(row.active) },
  }),
  floorStatus: (row) => ({
    ...{ code: text(row.code), name: text(row.name), colour: text(row.colour) },
    ...{ display_order: text(row.displayOrder), in_use: yesNo(row.inUse), means_clear: yesNo(row.meansClear) },
  }),
  checklistItem: (row) => ({
    ...{ code: text(row.code), text: text(row.text), display_order: text(row.displayOrder) },
    active: yesNo(row.active),
  }),
  template: (row) => ({
    ...{ code: text(row.code), type: text(row.type), text: text(row.text) },
    ...{ automated_response: row.automatedResponse ? '1' : '0', active: yesNo(row.active) },
  }),
  document: (row, code) => ({
    ...{ code: text(row.code), name: text(row.name), url: text(row.url), file: text(row.storageKey) },
    ...{ site: code(row.siteUid), role: code(row.roleUid), person: code(row.personUid), active: yesNo(row.active) },
  }),
}
