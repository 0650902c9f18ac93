import type { BuildingUid, EventUid, FloorUid, SiteUid } from '#kernel/ids.ts'
import type { RecordAddition } from '../calls/additions.ts'
import type { EventRecord, RecordFloor } from '../calls/record.ts'
import type { RecordCard } from '../calls/records.ts'
import { checklist } from '../words.ts'
import type { ReadRecord } from './parts/records.data.ts'

const uid = <T extends string>(n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}` as T
export const someEvent = uid<EventUid>(1)
export const site = { id: uid<SiteUid>(2), name: 'Harbour Quarter' }
const tower = uid<BuildingUid>(3)
const addition = (n: number) => uid<string>(500 + n)

const floor = (level: number, clear: number | null, more: Partial<RecordFloor> = {}): RecordFloor => ({
  id: uid<FloorUid>(10 + level),
  name: `Level ${level}`,
  building: tower,
  building_name: 'Tower A',
  first_clear: clear,
  clear,
  clear_recorded: clear,
  reopened: 0,
  order: clear === null ? null : level,
  status: clear === null ? 'Searching' : 'Evacuated',
  refusals: 0,
  people: { safe: 12, unknown: 0, danger: 0, total: 12 },
  wardens: 1,
  first_covered: 20,
  last_covered: null,
  unseen_when_clear: 0,
  ...more,
})

/** A drill of 14 minutes in Sydney's summer. */
export const someRecord: EventRecord = {
  number: 14,
  kind: 'drill',
  announced: false,
  live_from: null,
  live_by: null,
  type: 'Fire drill',
  site,
  timezone: 'Australia/Sydney',
  shift: '07:00 to 15:00',
  buildings: [{ id: tower, name: 'Tower A', joined: 0, left: null, first_clear: 250, clear: 402 }],
  started_at: '2026-11-05T23:00:00.000Z',
  ended_at: '2026-11-05T23:14:20.000Z',
  seconds: 860,
  started_by: { name: 'Grace Okafor', role: 'Chief Warden' },
  ended_by: { name: 'Grace Okafor', role: 'Chief Warden' },
  message: 'Leave the building by the nearest stairs.',
  toggles: { broadcast: true, alert: true },
  result: { word: 'unaccounted', people: 2 },
  people: {
    end: { safe: 33, unknown: 2, danger: 0, total: 35 },
    refusals: 1,
    everyone_after: null,
    curve: {
      step_seconds: 10,
      steps: Array.from({ length: 86 }, (_, at) => {
        const safe = Math.min(33, Math.round(at * 0.5))
        const danger = at > 20 && at < 50 ? 3 : 0
        return [safe, 35 - safe - danger, danger] as [number, number, number]
      }),
    },
  },
  floors: {
    has_clear_status: true,
    total: 4,
    clear: 3,
    rows: [
      floor(1, 250),
      floor(2, 301.4, { first_clear: 200, reopened: 1, unseen_when_clear: 3, clear_recorded: 372 }),
      floor(3, 402, { refusals: 1 }),
      floor(4, null, { people: { safe: 9, unknown: 2, danger: 0, total: 11 }, wardens: 0, first_covered: null }),
    ],
  },
  wardens: {
    total: 5,
    reported_in: 3,
    not_available: 1,
    answered: { half: 62, most: 190, nearly_all: null },
    answered_by_minute: [1, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4],
    coverage: [
      [0, 0],
      [20, 1],
      [80, 3],
    ],
    never_covered: 1,
    names_never_covered: ['Tower A, Level 4'],
    taken: [
      {
        floor: uid<FloorUid>(13),
        name: 'Level 3',
        building_name: 'Tower A',
        from: 80,
        to: 485,
        by: { name: 'Kim Lee', role: 'Floor Warden' },
      },
    ],
  },
  plans: {
    end: { safe: 1, unknown: 1, danger: 0, total: 2 },
    last_safe: 333,
    floors: [
      {
        floor: uid<FloorUid>(41),
        building: uid<BuildingUid>(40),
        place: 'Tower A - Level 4',
        people: { safe: 1, unknown: 1, danger: 0, total: 2 },
        last_safe: 333,
      },
    ],
    people: [
      {
        floor: uid<FloorUid>(41),
        building: uid<BuildingUid>(40),
        place: 'Tower A - Level 4',
        status: 'safe',
        safe_after: 333,
      },
      {
        floor: uid<FloorUid>(41),
        building: uid<BuildingUid>(40),
        place: 'Tower A - Level 4',
        status: 'unknown',
        safe_after: null,
      },
    ],
  },
  contact: {
    wardens: 3,
    to_the_end: 1,
    service: [{ from: 300, to: 420 }],
    gaps: [
      { name: 'Ben Ola', role: 'Floor Warden', from: 95, to: 260 },
      { name: 'Ada Abara', role: 'Floor Warden', from: 700, to: null },
    ],
  },
  texts: {
    allowed: true,
    purposes: [
      {
        purpose: 'event_message',
        written: 1204,
        handed_over: 1200,
        delivered: 1180,
        failed: 12,
        unconfirmed: 8,
        expired: 0,
        skipped: 4,
        delivered_half: 6,
        delivered_most: 31,
        answered: 640,
        answered_half: 75,
        answered_most: 260,
      },
    ],
    skipped_because: [{ reason: 'No mobile number.', texts: 4 }],
    delivered_half: 6,
    delivered_most: 31,
  },
  decisions: [
    {
      at: '2026-11-05T23:00:00.000Z',
      seconds: 0,
      action: 'event_started',
      by: { name: 'Grace Okafor', role: 'Chief Warden' },
      words: 'Leave the building by the nearest stairs.',
    },
    { ...{ at: '2026-11-05T23:14:20.000Z', seconds: 860, action: 'event_ended', by: null, words: '' } },
  ],
  late: { records: 2, longest: 71 },
  compared: {
    ...{
      event: uid<EventUid>(9),
      number: 11,
      started_at: '2026-05-04T23:00:00.000Z',
      last_clear: 447,
      common_floors: 4,
    },
    covered: 2,
    floors: 4,
    half_answered: 40,
    delivered: 0.99,
    unaccounted: 2,
  },
  actions_before: { open: 2, overdue: 1 },
  sentences: [
    { number: 1, evidence: 'entries', text: 'The drill "Fire drill" at Harbour Quarter (Tower A) began at 10:00:00.' },
    { number: 4, evidence: 'people', text: '35 people were to be accounted for.' },
    { number: 10, evidence: 'entries', text: '1 person refused to leave.' },
    { number: 13, evidence: 'late', text: '2 records reached the server more than 30 s after they were seen.' },
  ],
}

/** An addition, `minutes` after the end. */
export const added = (
  n: number,
  kind: RecordAddition['kind'],
  body: Record<string, unknown>,
  more: Partial<RecordAddition> = {},
): RecordAddition => ({
  uid: addition(n),
  kind,
  body,
  by: 'Kim Lee',
  role: 'Floor Warden',
  mine: false,
  observed_at: null,
  recorded_at: new Date(Date.parse(someRecord.ended_at) + n * 60_000).toISOString(),
  ...more,
})

export const someHead = {
  size: 1204,
  root: 'q3Vx0aJ2mJ0nYw1f8l9s7Qe5r6t7y8u9i0o1p2a3s4c=',
  at: '2026-11-05T23:15:00.000Z',
  key: 'evac.example+1f2e3d4c+AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAh',
  stamped: false,
}

export const answerWith = (
  record: EventRecord | null,
  additions: RecordAddition[] = [],
  more: Partial<ReadRecord> = {},
) => ({
  state: 'ready' as const,
  whole: true,
  record,
  additions,
  reduced_at: null,
  hold: false,
  checklist: [...checklist],
  heads: [someHead],
  recount: null,
  check: null,
  has_mail: true,
  arrived_late: 0,
  late_records: [],
  number: someRecord.number,
  timezone: someRecord.timezone,
  started_at: someRecord.started_at,
  ended_at: someRecord.ended_at,
  ...more,
})

export const card = (n: number, more: Partial<RecordCard> = {}): RecordCard => ({
  event: uid<EventUid>(100 + n),
  state: 'ready',
  number: n,
  kind: 'drill',
  type: 'Fire drill',
  site: site.name,
  timezone: 'Australia/Sydney',
  buildings: ['Tower A', 'Tower B'],
  started_at: '2026-11-05T23:00:00.000Z',
  ended_at: '2026-11-05T23:14:20.000Z',
  result: { word: 'accounted', people: 0 },
  signed: false,
  actions_open: 0,
  recounted: false,
  ...more,
})
