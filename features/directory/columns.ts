import { commandMinutes, commandOrder } from '#features/command/kinds.ts'
import { coverageMinutes, mailAboutTomorrow } from '#features/coverage/kinds.ts'
import { callings } from '#features/reach/kinds.ts'
import { wordOf } from '#kernel/action-words.ts'
import { firstActions, statusActions, whereLength } from '#kernel/actions.ts'
import { countryCodes, leastDays, planConsents, sharePlans } from '#kernel/console-kinds.ts'
import * as limits from '#kernel/limits.ts'
import { eventKinds, kindOfTypeName, meansClearByName, recordOf } from '#kernel/vocabulary.ts'
import type { Columns, PlainColumns, RowOf } from './column-kinds.ts'

/** Characters of texts that are no names. */
export const longestText = 2_000

const areaDomains = ['Site', 'Building', 'Floor', 'Area'] as const
const personKinds = ['staff', 'visitor'] as const
const assignmentStatuses = ['Offered', 'Accepted', 'Declined', 'Withdrawn'] as const
const kindOfEventType = ({ type }: { type: string }) => kindOfTypeName(type)
const isNameOfClear = ({ name }: { name: string }) => meansClearByName(name)
const active = { kind: 'yes or no', empty: true, journal: true, label: 'In use' } as const
const order = { kind: 'whole number', must: true, journal: true, label: 'Order' } as const

/** Settings that calls and form name like the file. A new one comes here, and the form draws it. */
export const plainSettings = {
  command_minutes: {
    kind: 'count',
    ...commandMinutes,
    group: 'Events',
    label: 'Minutes without contact',
    hint: 'After this long without contact, the person in command is asked by text (2 to 60).',
  },
  coverage_minutes: {
    kind: 'count',
    ...coverageMinutes,
    group: 'Events',
    label: 'Minutes without a warden',
    hint: 'After this, event managers are told about the floor. 1 to 30.',
  },
  coverage_mail: {
    kind: 'yes or no',
    empty: true,
    group: 'Events',
    label: 'Email about tomorrow',
    tick: `Email event managers at ${mailAboutTomorrow.from} about floors without a warden tomorrow`,
  },
  log_head_addresses: {
    kind: 'emails',
    most: 3,
    group: 'Events',
    label: 'Send log heads to',
    hint: 'Up to 3 email addresses, each on its own line. They get the log head of each event at its start and when its record is written: it can show later whether the record was changed.',
  },
  share_plans: {
    kind: 'word',
    of: sharePlans,
    empty: 'unless no',
    label: 'Help shown to the fire service',
    hint: 'On the arrival pack: place and assistance, without name and disability.',
    words: {
      'unless no': 'For everyone, unless their plan says no',
      'only yes': 'Only for people whose plan says yes',
    },
  },
} as const satisfies Columns

/** Properties of an event type that calls and form name like the file. A new one comes here, and the form draws it. */
export const eventTypeProperties = {
  kind: {
    kind: 'word',
    of: eventKinds,
    empty: kindOfEventType,
    stored: 'defaultKind',
    journal: true,
    formLabel: 'Meant for',
    words: { live: 'Live events', drill: 'Drills' },
  },
  action: {
    kind: 'word',
    of: firstActions,
    empty: 'evacuate',
    journal: true,
    formLabel: 'Action',
    hint: 'What people do in an event of this type.',
    words: recordOf(firstActions, wordOf),
  },
  where: {
    kind: 'text',
    longest: whereLength,
    stored: 'actionWhere',
    formLabel: 'Where to',
    hint: 'For Move and Shelter: the place, as in ‘Move everyone to the oval’. It can be changed at the start.',
  },
} as const satisfies PlainColumns

/**
 * The files of an organisation in the order of reading, and their columns (docs/import-format.md). Import, difference,
 * journal, export, templates and words on screen read this table. What a line can say: `column-kinds.ts`.
 */
export const columns = {
  organisation: {
    code: { kind: 'text', must: true, example: 'HARBOUR' },
    name: { kind: 'text', must: true, example: 'Harbour Ltd' },
    sms_allowed: { kind: 'yes or no', empty: false, label: 'Texts', example: 'yes' },
    timezone: { kind: 'zone', empty: 'Australia/Sydney', label: 'Time zone', example: 'Australia/Sydney' },
    country: { kind: 'word', of: countryCodes, empty: 'AU', example: 'AU' },
    contact_email: { kind: 'email', example: 'office@harbour.test' },
    // null: as the installation says
    sms_daily_links: { kind: 'count', least: 0, label: 'Texts a day for links' },
    sms_daily_alerts: { kind: 'count', least: 0, label: 'Texts a day for alerts' },
    daily_calls: { kind: 'count', least: 0, label: 'Calls a day' },
    retain_messages_days: { kind: 'count', least: leastDays.messages, label: 'Days for messages', example: '365' },
    retain_events_days: { kind: 'count', least: leastDays.events, label: 'Days for events' },
    retain_audit_days: { kind: 'count', least: leastDays.audit, label: 'Days for the audit log' },
    retain_peeps_days: { kind: 'count', least: leastDays.plans, label: 'Days for plans' },
    ...plainSettings,
  },
  sites: {
    code: { kind: 'place code', must: true, example: 'QUARTER' },
    name: { kind: 'text', must: true, example: 'Harbour Quarter' },
    timezone: { kind: 'zone', journal: true, label: 'Time zone', example: 'Australia/Sydney' },
    drill_every_days: { kind: 'count', least: 7, most: 1_825, usual: 365, journal: true, example: '365' },
    drill_shifts: { kind: 'shifts', journal: true },
    active: { ...active, missing: 'empty' },
  },
  buildings: {
    site: { kind: 'site', must: true, stored: 'siteUid', journal: true, example: 'QUARTER' },
    code: { kind: 'place code', must: true, example: 'A' },
    name: { kind: 'text', must: true, example: 'Tower A' },
    active: { ...active, missing: 'empty' },
  },
  floors: {
    building: { kind: 'building', must: true, stored: 'buildingUid', journal: true, example: 'A' },
    code: { kind: 'place code', must: true, example: 'L3' },
    name: { kind: 'text', must: true, example: 'Level 3' },
    level: { kind: 'whole number', must: true, journal: true, example: '3' },
    kind: { kind: 'word', of: ['floor', 'area'], empty: 'floor', journal: true, example: 'floor' },
    active: { ...active, missing: 'empty' },
  },
  roles: {
    code: { kind: 'text', must: true, example: 'FLOOR' },
    name: { kind: 'text', must: true, example: 'Floor Warden' },
    area_domain: { kind: 'word', of: areaDomains, must: true, journal: true, label: 'Covers a', example: 'Floor' },
    modules: { kind: 'modules', must: true, journal: true, example: 'Floor_Evacuation My_Messages' },
    command_order: { kind: 'count', ...commandOrder, journal: true, label: 'Place in the chain of command' },
    called: { kind: 'word', of: callings, empty: 'first', journal: true, label: 'Called' },
    active,
  },
  people: {
    code: { kind: 'text', must: true, example: 'P-000001' },
    account_uid: { kind: 'account', file: false },
    // one of the two is enough
    first_name: { kind: 'name', must: true, example: 'Ada' },
    last_name: { kind: 'name', must: true, example: 'Abara' },
    email: { kind: 'email', example: 'ada@harbour.test' },
    username: { kind: 'username', stored: false },
    mobile: { kind: 'mobile', example: '+61 491 000 001' },
    second_mobile: { kind: 'phone', label: 'Second number' },
    password: { kind: 'password', stored: false },
    // a floor, or the building that a visitor is in
    floor: { kind: 'home', stored: ['primaryFloorUid', 'visitingBuildingUid'], journal: true, example: 'A/L3' },
    kind: { kind: 'word', of: personKinds, empty: 'staff', missing: 'empty', journal: true, example: 'staff' },
    visit_date: { kind: 'date', missing: 'empty', journal: true, label: 'Day of the visit' },
    is_client_master: { kind: 'yes or no', empty: false, journal: true, label: 'Client master' },
    active: { ...active, missing: 'empty', example: 'yes' },
  },
  groups: {
    code: { kind: 'text', must: true, example: 'DENTAL' },
    name: { kind: 'text', longest: 200, must: true, example: 'Dental practice' },
    active: { ...active, example: 'yes' },
  },
  groupMembers: {
    group: { kind: 'group', must: true, stored: false, example: 'DENTAL' },
    person: { kind: 'person', must: true, stored: false, example: 'P-000001' },
  },
  peeps: {
    person: { kind: 'person', must: true, stored: 'personUid', example: 'P-000001' },
    disability: { kind: 'lines' },
    assistance: { kind: 'lines', example: 'Two people with the evacuation chair' },
    other: { kind: 'lines' },
    summary: { kind: 'lines', example: 'Evacuation chair' },
    consent: { kind: 'word', of: planConsents, empty: null },
    consent_on: { kind: 'date' },
    review_on: { kind: 'date' },
    fire_service: { kind: 'yes or no', empty: null },
  },
  assignments: {
    person: { kind: 'person', must: true, stored: false, example: 'P-000001' },
    role: { kind: 'role', must: true, stored: false, example: 'FLOOR' },
    site: { kind: 'site', must: true, stored: false, example: 'QUARTER' },
    locations: { kind: 'places', missing: 'empty', stored: false, label: 'Places', example: 'A/L3' },
    date_from: { kind: 'date', must: true, stored: false, label: 'From', example: '2026-01-01' },
    date_to: { kind: 'date', must: true, stored: false, label: 'To', example: '2026-12-31' },
    status: { kind: 'word', of: assignmentStatuses, empty: 'Offered', stored: false, example: 'Offered' },
  },
  eventTypes: {
    code: { kind: 'text', must: true, example: 'FIRE' },
    type: { kind: 'text', must: true, example: 'Fire' },
    description: { kind: 'text', longest: longestText, example: 'Fire or smoke' },
    message: { kind: 'text', longest: limits.messageLength, example: 'Leave the building now.' },
    ...eventTypeProperties,
    active: { ...active, missing: 'empty' },
  },
  floorStatuses: {
    code: { kind: 'text', must: true, example: 'EVACUATED' },
    name: { kind: 'text', must: true, example: 'Evacuated' },
    colour: { kind: 'colour', must: true, journal: true, example: 'green' },
    display_order: { ...order, example: '2' },
    in_use: { kind: 'yes or no', empty: true, journal: true, example: 'yes' },
    means_clear: { kind: 'yes or no', empty: isNameOfClear, journal: true, example: 'yes' },
    // null: in every event in which people leave
    action: { kind: 'word', of: statusActions, empty: null, journal: true },
  },
  checklist: {
    code: { kind: 'text', must: true, example: 'ALARM' },
    text: { kind: 'text', longest: limits.checklistTextLength, must: true, example: 'Alarm heard everywhere?' },
    display_order: { ...order, example: '1' },
    active: { ...active, missing: 'empty', example: 'yes' },
  },
  templates: {
    code: { kind: 'text', must: true, example: 'SAFE' },
    type: { kind: 'word', of: ['Warden', 'Evacuee'], must: true, example: 'Evacuee' },
    text: { kind: 'text', longest: limits.messageLength, must: true, example: 'Are you safe?' },
    automated_response: { kind: 'one or zero', label: 'Coded answer', example: '1' },
    active: { ...active, missing: 'empty' },
  },
  documents: {
    code: { kind: 'text', must: true, example: 'PLAN' },
    name: { kind: 'text', must: true, example: 'Floor plan' },
    url: { kind: 'link', missing: 'empty', label: 'Link', example: 'https://harbour.test/plan.pdf' },
    file: { kind: 'file', missing: 'empty', stored: 'storageKey' },
    site: { kind: 'site', stored: 'siteUid', journal: true, example: 'QUARTER' },
    role: { kind: 'role', stored: 'roleUid', journal: true },
    person: { kind: 'person', stored: 'personUid' },
    active: { ...active, missing: 'empty' },
  },
} as const satisfies Record<string, Columns>

export type DirectoryFile = keyof typeof columns

/** Segments and days are null where the installation's hold. */
export type OrganisationRow = RowOf<typeof columns.organisation>
