import { expect, test } from 'vitest'
import type { EventRecord } from '../calls/record.ts'
import { sentencesOf } from './record-sentences.ts'

type Told = Omit<EventRecord, 'sentences'>

const floor = (name: string, clear: number | null, unseen = 0) => ({
  id: name as never,
  name,
  building: 'a' as never,
  building_name: 'Tower A',
  first_clear: clear,
  clear,
  clear_recorded: clear,
  reopened: 0,
  order: clear === null ? null : 1,
  status: 'Clear',
  refusals: 0,
  wardens: 1,
  people: { safe: 1, unknown: 0, danger: 0, total: 1 },
  first_covered: 1,
  last_covered: null,
  unseen_when_clear: unseen,
})

/** A drill in Sydney at ten in the morning, of a quarter of an hour, in which all went well. */
const drill: Told = {
  number: 2,
  kind: 'drill',
  announced: true,
  live_from: null,
  live_by: null,
  type: 'Fire drill',
  shift: null,
  site: { id: 's' as never, name: 'Harbour Campus' },
  timezone: 'Australia/Sydney',
  message: '',
  buildings: ['Tower A', 'Tower B'].map((name) => ({
    id: name as never,
    name,
    joined: 0,
    left: null,
    first_clear: 1,
    clear: 1,
  })),
  started_at: '2026-11-02T23:00:00.000Z',
  ended_at: '2026-11-02T23:15:30.000Z',
  seconds: 930,
  started_by: { name: 'Ada Wong', role: 'Chief Warden' },
  ended_by: { name: 'Ben Ola', role: '' },
  toggles: { broadcast: true, alert: false },
  result: { word: 'accounted', people: 0 },
  people: { end: { safe: 1240, unknown: 0, danger: 0, total: 1240 }, refusals: 0, everyone_after: 725.9, curve: null },
  floors: { has_clear_status: true, total: 2, clear: 2, rows: [floor('Ground', 300), floor('Level 1', 412)] },
  wardens: {
    total: 4,
    reported_in: 3,
    not_available: 1,
    answered: { half: 41, most: 90, nearly_all: 90 },
    answered_by_minute: [2, 4],
    coverage: [[30, 2]],
    never_covered: 0,
    names_never_covered: [],
  },
  plans: { end: { safe: 2, unknown: 0, danger: 0, total: 2 }, last_safe: 640 },
  texts: {
    allowed: true,
    purposes: [
      ...[
        {
          purpose: 'event_message',
          written: 900,
          handed_over: 890,
          delivered: 880,
          failed: 5,
          unconfirmed: 10,
          expired: 5,
          skipped: 0,
        },
      ],
    ],
    skipped_because: [],
    delivered_half: 8,
    delivered_most: 20,
  },
  contact: { wardens: 0, to_the_end: 0, gaps: [], service: [] },
  decisions: [],
  late: { records: 0, longest: 0 },
  compared: null,
  actions_before: { open: 0, overdue: 0 },
}
const told = (over: Partial<Told> = {}) => sentencesOf({ ...drill, ...over }).map(({ text }) => text)
const one = (number: number, over: Partial<Told>) =>
  sentencesOf({ ...drill, ...over }).find((it) => it.number === number)?.text

test('AAR-23 REC2-10 a drill in which all went well, letter for letter', () => {
  expect(told()).toEqual([
    'The drill "Fire drill" at Harbour Campus (Tower A, Tower B) began at 10:00 on 3 November 2026 and ended at 10:15, after 15:30.',
    'It was started by Ada Wong (Chief Warden) and ended by Ben Ola.',
    'People were told beforehand.',
    '1,240 people were to be accounted for. When it ended 1,240 were safe, 0 unknown and 0 in danger.',
    'Everyone was accounted for after 12:05.',
    '2 of 2 floors were reported clear; the last was Tower A - Level 1 after 6:52.',
    '4 of 4 wardens answered: 3 reported in, 1 not available. Half had answered after 0:41.',
    'All 2 people with an evacuation plan were safe, the last after 10:40.',
    '900 texts: 880 delivered, 10 failed, 10 without a receipt, 0 not sent. Half were delivered within 0:08.',
    'No warden on duty was out of contact for more than 90 s.',
  ])
})

test('AAR-23 each sentence that tells what went wrong', () => {
  const wrong = told({
    kind: 'live',
    live_from: '2026-11-02T23:05:00.000Z',
    announced: false,
    people: { ...drill.people, end: { safe: 1, unknown: 2, danger: 1, total: 4 }, refusals: 1, everyone_after: null },
    floors: { ...drill.floors, total: 7, clear: 1, rows: [floor('Ground', 300, 3)] },
    wardens: {
      ...drill.wardens,
      answered: { half: null, most: null, nearly_all: null },
      never_covered: 6,
      names_never_covered: ['Level 1', 'Level 2', 'Level 3', 'Level 4', 'Level 5'],
    },
    plans: { end: { safe: 0, unknown: 1, danger: 0, total: 1 }, last_safe: null },
    texts: { ...drill.texts, allowed: false, purposes: [] },
    contact: { wardens: 2, to_the_end: 1, gaps: [], service: [] },
    late: { records: 1, longest: 3661 },
    actions_before: { open: 2, overdue: 1 },
    compared: {
      event: 'e' as never,
      number: 1,
      started_at: '2026-05-01T00:00:00.000Z',
      last_clear: 200,
      common_floors: 2,
      covered: 1,
      floors: 2,
      half_answered: 30,
      delivered: 0.5,
      unaccounted: 1,
    },
  })

  expect(wrong.slice(2)).toEqual([
    'It was a drill until 10:05; from then on it was a live event.',
    '4 people were to be accounted for. When it ended 1 was safe, 2 unknown and 1 in danger.',
    '3 people had not been accounted for when it ended.',
    '1 of 7 floors was reported clear; the last was Tower A - Ground after 5:00.',
    '1 floor was reported clear while 3 of its people were still unknown or in danger.',
    '4 of 4 wardens answered: 3 reported in, 1 not available. Fewer than half answered.',
    '6 of 7 floors had no warden, and nothing was recorded there: Level 1, Level 2, Level 3, Level 4, Level 5 and 1 more.',
    '1 person refused to leave.',
    'Of 1 person with an evacuation plan, 0 were safe; 1 was not accounted for.',
    'No texts were sent: text messages are switched off.',
    '1 record reached the server more than 30 s after it was made, the latest after 1:01:01. The figures use the time at which it was made.',
    'The phones of 2 wardens on duty were out of contact for more than 90 s, 1 of them at the end.',
    'Compared with the live event of 1 May 2026: 2 more people were not accounted for.',
    'When it began, 2 actions from earlier records were open, 1 of them overdue.',
  ])
})

test('AAR-13 AAR-23 what has nothing to say is left out', () => {
  const nobody = { ...drill.people, end: { safe: 0, unknown: 0, danger: 0, total: 0 }, everyone_after: null }

  expect(one(4, { people: nobody })).toBe('There was no one to account for.')
  expect(one(5, { people: nobody })).toBeUndefined()
  expect(one(6, { floors: { ...drill.floors, has_clear_status: false } })).toBeUndefined()
  expect(one(6, { floors: { ...drill.floors, clear: 0, rows: [floor('Ground', null)] } })).toBe(
    'No floor was reported clear.',
  )
  expect(one(3, { announced: null })).toBeUndefined()
  expect(one(3, { announced: false })).toBe('People were not told beforehand.')
})

test('AAR-07 an end after midnight has its date; after a clock change each time has its offset', () => {
  expect(one(1, { ended_at: '2026-11-03T14:10:00.000Z', seconds: 54_600 })).toMatch(
    /began at 10:00 on 3 November 2026 and ended at 01:10 on 4 November 2026, after 15:10:00\.$/,
  )
  expect(
    one(1, { started_at: '2026-04-04T15:30:00.000Z', ended_at: '2026-04-04T16:30:00.000Z', seconds: 3600 }),
  ).toMatch(/began at 02:30 \(UTC\+11:00\) on 5 April 2026 and ended at 02:30 \(UTC\+10:00\), after 1:00:00\.$/)
})

test('RESP-11 a lockdown that followed an evacuation in one of two buildings, letter for letter', () => {
  const [a, b] = drill.buildings.map(({ id, name }) => ({ id, name })) as [
    { id: never; name: string },
    { id: never; name: string },
  ]
  const actions: Told['actions'] = [
    { seconds: 0, action: 'evacuate', buildings: [a, b] },
    { seconds: 120, action: 'lockdown', buildings: [{ ...a, before: 'evacuate' }] },
    { seconds: 600, action: 'release', buildings: [{ ...a, before: 'lockdown' }] },
  ]
  const people = { ...drill.people, end: { safe: 3, unknown: 1, danger: 1, total: 5 }, refusals: 1, agreed: 1 }
  const floors = { ...drill.floors, rows: [floor('Ground', 300, 2), floor('Level 1', 412)] }
  expect(told({ actions, people, floors }).slice(2, 9)).toEqual([
    'People were told beforehand.',
    'At 10:02 the action in Tower A changed from Evacuate to Lockdown.',
    'At 10:10 the action in Tower A changed from Lockdown to All clear.',
    '5 people were to be accounted for. When it ended 3 were safe or accounted for, 1 unknown and 1 in danger or in need of help.',
    '2 people had not been accounted for when it ended.',
    '2 of 2 floors were reported clear or locked; the last was Tower A - Level 1 after 6:52.',
    '1 floor was reported clear or locked while 2 of its people were still unknown or in danger or in need of help.',
  ])
})

test('RESP-11 a lockdown from the start speaks of floors locked and people accounted for', () => {
  const buildings = drill.buildings.map(({ id, name }) => ({ id, name }))
  const actions: Told['actions'] = [{ seconds: 0, action: 'lockdown', buildings }]
  const of = (number: number, over: Partial<Told> = {}) => one(number, { actions, ...over })
  const floors = {
    ...drill.floors,
    reported: 2,
    clear: 1,
    rows: [floor('Ground', 300, 2), { ...floor('Level 1', null), first_clear: 9 }],
  }
  const people = { ...drill.people, refusals: 1, agreed: 1, once_danger: { people: 1, longest: 40, safe_after: 60 } }
  expect(of(4)).toBe(
    '1,240 people were to be accounted for. When it ended 1,240 were accounted for, 0 unknown and 0 in need of help.',
  )
  expect(of(6, { floors })).toBe(
    '2 of 2 floors were reported locked; the last was Tower A - Ground after 5:00. 1 of them was not locked at the end: Tower A - Level 1.',
  )
  expect(of(7, { floors })).toBe(
    '1 floor was reported locked while 2 of its people were still unknown or in need of help.',
  )
  expect(of(10, { people })).toBe('1 person left against the instruction, and later came back or was accounted for.')
  expect(of(20, { people })).toBe('1 person was recorded in need of help and was accounted for 1:00 later.')
  expect(of(11)).toBe('All 2 people with an evacuation plan were accounted for, the last after 10:40.')
  expect(of(25)).toBeUndefined()
})
