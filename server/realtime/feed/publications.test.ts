import fc from 'fast-check'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { actions } from '#features/live-updates/actions.ts'
import { Publication } from '#features/live-updates/calls/realtime.ts'
import { consequencesOf, type FeedEntry } from './publications.ts'

const entry = (action: string, changes: Partial<FeedEntry> = {}): FeedEntry => ({
  xid: '700',
  position: '1',
  action,
  subjectType: 'person',
  subjectUid: 'subject',
  eventUid: 'e1',
  actorSignInUid: 'actor',
  floorUid: null,
  formerFloorUid: null,
  threadUid: null,
  unreadFrom: null,
  wardenUnread: null,
  evacueeUnread: null,
  evacueeUnreadCount: null,
  liveFrom: null,
  instruction: null,
  instructionUid: null,
  offeredByUid: null,
  isAlarm: false,
  ...changes,
})
const running = { status: 'ok', message: null, event: { status: true, ended_by: null } }

test('RT-22 AMB-077 only the conclusion has a false event status, and it names who ended the event', () => {
  const { publications, closings } = consequencesOf([
    entry('event_ended', { subjectUid: 'e1', actorSignInUid: 'chief' }),
  ])

  expect(publications).toEqual([
    { channel: 'event:e1', data: { ...running, event: { status: false, ended_by: 'chief' } }, isUrgent: true },
  ])
  expect(closings).toMatchObject([{ who: { channel: 'event:e1' }, close: { reason: 'event ended' }, afterMs: 800 }])
})

test('KIND-08 KIND-13 a drill made live: every phone learns it, and reads event, people, floors and texts again', () => {
  const liveFrom = '2026-01-05T09:00:00.000Z'
  const { publications, closings } = consequencesOf([entry('drill_made_live', { subjectUid: 'e1', liveFrom })])

  const changed = ['event', 'evacuee', 'floor', 'text'].map((topic) => ({
    topic,
    ids: topic === 'event' ? ['e1'] : [],
  }))
  expect(publications).toEqual([
    { channel: 'event:e1', data: { ...running, event_kind: 'live', live_from: liveFrom, changed }, isUrgent: true },
  ])
  expect(closings).toEqual([])
})

test('AMB-079 a removed warden is told, the others refresh their lists, and the socket is closed shortly after', () => {
  const { publications, closings } = consequencesOf([entry('warden_removed', { subjectUid: 's1' })])

  expect(publications).toEqual([
    { channel: 'event:e1', data: { ...running, changed: [{ topic: 'attendance', ids: ['s1'] }] } },
    {
      channel: 'warden:s1',
      data: {
        ...running,
        status: 'removed',
        message: 'Your building has been removed from the event. You have been signed out of the event.',
      },
    },
  ])
  expect(closings).toMatchObject([{ who: { sub: 's1' }, close: { code: 3503 }, afterMs: 800 }])
})

test('AMB-079 assignment_ended: the warden is told and signed out', () => {
  const { publications, closings } = consequencesOf([entry('assignment_ended', { subjectUid: 's1', eventUid: null })])

  expect(publications).toEqual([
    {
      channel: 'warden:s1',
      data: {
        ...running,
        status: 'unauthorized_access',
        message: 'All Wardens is only available to authorised Wardens.',
      },
    },
  ])
  expect(closings).toMatchObject([{ who: { sub: 's1' }, afterMs: 800 }])
})

test.for([
  ['warden_reported_in', 'attendance'],
  ['warden_not_available', 'attendance'],
  ['warden_off_duty', 'attendance'],
  ['warden_rejoined', 'attendance'],
  ['floor_status_set', 'floor'],
  ['contradiction_kept', 'report'],
])('RT-17 %s refreshes the topic %s on the event channel', ([action, topic]) => {
  const { publications } = consequencesOf([entry(action as string)])

  expect(publications).toEqual([{ channel: 'event:e1', data: { ...running, changed: [{ topic, ids: ['subject'] }] } }])
})

test.for(['self_report_made', 'self_report_handled', 'report_page_changed'])(
  'RT-17 %s refreshes the topic report, whichever report it was',
  (action) => {
    const { publications } = consequencesOf([entry(action)])

    expect(publications).toEqual([
      { channel: 'event:e1', data: { ...running, changed: [{ topic: 'report', ids: [] }] } },
    ])
  },
)

test.for([
  ['warden_off_duty', 'signed out'],
  ['session_ended', 'signed out'],
])('HUB-30 %s closes the sockets of that participation at once', ([action, reason]) => {
  const { closings } = consequencesOf([entry(action as string, { subjectUid: 's1' })])

  expect(closings).toEqual([{ who: { sub: 's1' }, close: { code: 3503, reason }, afterMs: 0 }])
})

test.for(['buildings_added', 'buildings_removed'])(
  'RT-17 %s refreshes the event and all floors, evacuees and wardens',
  (action) => {
    const { publications } = consequencesOf([entry(action)])

    const changed = [
      { topic: 'event', ids: ['subject'] },
      { topic: 'floor', ids: [] },
      { topic: 'evacuee', ids: [] },
      { topic: 'attendance', ids: [] },
    ]
    expect(publications).toEqual([{ channel: 'event:e1', data: { ...running, changed } }])
  },
)

test('RT-17 AMB-067 an assignment taken up or left during an event refreshes all wardens and evacuees', () => {
  const taken = entry('assignment_changed', { subjectUid: 'a1' })

  const { publications } = consequencesOf([taken, entry('warden_reported_in', { subjectUid: 's1' })])

  const changed = [
    { topic: 'assignment', ids: ['a1'] },
    { topic: 'attendance', ids: [] },
    { topic: 'evacuee', ids: [] },
  ]
  expect(publications).toEqual([{ channel: 'event:e1', data: { ...running, changed } }])
})

test.for(['command_changed', 'command_silent', 'command_heard'])('CMD-05 CMD-10 %s is told to everyone', (action) => {
  expect(consequencesOf([entry(action)]).publications).toEqual([
    { channel: 'event:e1', data: { ...running, changed: [{ topic: 'command', ids: [] }] } },
  ])
})

const instructionUid = '5f4b9ce8-6a7e-4a0e-9d43-0f6f5ba5a001'
test.for(['all', 'any', [instructionUid]])(
  'CMD-22 an instruction is told with its kind and %s floors, and never with its words',
  (floors) => {
    const instruction = { kind: 'stay', floors, message: 'Stay.' }
    const { publications } = consequencesOf([entry('instruction_sent', { instructionUid, instruction })])

    const changed = [{ topic: 'command', ids: [] }]
    const told = { id: instructionUid, kind: 'stay', floors }
    const data = { ...running, changed, instruction: told }
    expect(publications).toEqual([{ channel: 'event:e1', data, isUrgent: true }])
    expect(publications.every(({ data }) => Value.Check(Publication, data))).toBe(true)
  },
)

test('CMD-22 an instruction that the feed does not understand makes phones read', () => {
  const [{ data } = { data: {} }] = consequencesOf([entry('instruction_sent', { instructionUid })]).publications

  expect(data).toEqual({ ...running, changed: [{ topic: 'command', ids: [] }] })
})

test('CMD-24 that someone has understood is told to the sender alone', () => {
  const understood = entry('instruction_understood', { subjectType: 'sign_in', subjectUid: 's1', instructionUid })

  expect(consequencesOf([understood]).publications).toEqual([
    { channel: 'warden:s1', data: { ...running, changed: [{ topic: 'command', ids: [instructionUid] }] } },
  ])
})

test('AMB-067 an assignment outside any event refreshes nothing', () => {
  expect(consequencesOf([entry('assignment_changed', { eventUid: null })]).publications).toEqual([])
})

test('RT-17 the others in the event see that a warden whose assignment ended is gone', () => {
  const { publications } = consequencesOf([entry('assignment_ended', { subjectUid: 's1' })])

  expect(publications.find(({ channel }) => channel === 'event:e1')?.data.changed).toEqual([
    { topic: 'attendance', ids: ['s1'] },
    { topic: 'evacuee', ids: [] },
  ])
})

test('HUB-25 an evacuee who moved refreshes both floors', () => {
  const moved = entry('evacuee_status_set', { subjectUid: 'p1', floorUid: 'f2', formerFloorUid: 'f1' })

  const { publications } = consequencesOf([moved, entry('evacuee_refusal_set', { subjectUid: 'p2', floorUid: 'f2' })])

  expect(publications.map(({ data }) => data.changed)).toEqual([
    [
      { topic: 'evacuee', ids: ['p1', 'p2'], floors: ['f2', 'f1'] },
      { topic: 'floor', ids: ['f2', 'f1'] },
    ],
  ])
})

test.for<[string, Partial<FeedEntry>]>([
  ['evacuee_status_set', {}],
  ['person_changed', { floorUid: 'f1' }],
  ['person_deactivated', {}],
  ['sms_refused', {}],
])('FEED-06 HUB-25 after %s the person may be on any floor, whatever else changed', ([action, more]) => {
  const seen = entry('evacuee_status_set', { subjectUid: 'p1', floorUid: 'f2' })

  const { publications } = consequencesOf([seen, entry(action, more)])

  expect(publications[0]?.data.changed?.find(({ topic }) => topic === 'evacuee')).not.toHaveProperty('floors')
})

test('FEED-06 instructions, other actions, ends and alarms are urgent, and nothing else is', () => {
  const isUrgent = (action: string, isAlarm = false) =>
    consequencesOf([entry(action, { isAlarm })]).publications.some(({ isUrgent }) => isUrgent)

  const urgent = [...actions.keys()].filter((action) => isUrgent(action))

  expect(urgent).toEqual(['drill_made_live', 'action_changed', 'event_ended', 'instruction_sent'])
  expect(isUrgent('evacuee_status_set', true)).toBe(true)
})

test('HUB-31 more than 50 ids of a topic become an empty list, which means any', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => entry('floor_status_set', { subjectUid: `f${at}` }))

  const idsOf = (entries: FeedEntry[]) => consequencesOf(entries).publications[0]?.data.changed?.[0]?.ids

  expect(idsOf(many(50))).toHaveLength(50)
  expect(idsOf(many(51))).toEqual([])
})

test('RT-18 AMB-076 an unread change carries only the fields it states, and a true event status', () => {
  const unread = entry('unread_changed', { subjectUid: 's1', unreadFrom: ['a1'], wardenUnread: true })

  const { publications } = consequencesOf([unread])

  expect(publications).toEqual([
    { channel: 'warden:s1', data: { ...running, unread_messages_from_wardens: ['a1'], warden_unread_msg: true } },
  ])
})

test('AMB-079 an unread change in the same transaction does not hide the removal', () => {
  const removed = entry('warden_removed', { subjectUid: 's1' })
  const unread = entry('unread_changed', { subjectUid: 's1', evacueeUnread: true })

  for (const entries of [
    [removed, unread],
    [unread, removed],
  ]) {
    const told = consequencesOf(entries).publications.find(({ channel }) => channel === 'warden:s1')
    expect(told?.data).toMatchObject({ status: 'removed', message: /Your building/, evacuee_unread_msg: true })
  }
})

test('AMB-079 of two terminal messages in one transaction the more serious one is sent', () => {
  const removed = entry('warden_removed', { subjectUid: 's1' })
  const ended = entry('assignment_ended', { subjectUid: 's1' })

  for (const entries of [
    [removed, ended],
    [ended, removed],
  ]) {
    const told = consequencesOf(entries).publications.find(({ channel }) => channel === 'warden:s1')
    expect(told?.data).toMatchObject({ status: 'unauthorized_access', message: /^All Wardens/ })
  }
})

test.for(['signed_in', 'event_started', 'constructor', ''])('HUB-24 the action "%s" affects no screen', (action) => {
  expect(consequencesOf([entry(action)])).toEqual({ publications: [], closings: [] })
})

const someAction = fc.constantFrom(
  'event_ended',
  'warden_removed',
  'evacuee_status_set',
  'unread_changed',
  'assignment_ended',
  'x',
)
const uid = fc.constantFrom('u1', 'u2', 'u3')
const entries = fc.array(
  fc.record({
    action: someAction,
    subjectUid: uid,
    eventUid: fc.option(uid),
    floorUid: fc.option(uid),
    unread: fc.jsonValue(),
  }),
)

test('HUB-23 any transaction gives each channel one publication that is valid by the contract', () => {
  fc.assert(
    fc.property(entries, (drawn) => {
      const { publications } = consequencesOf(
        drawn.map(({ unread, action, ...rest }) =>
          entry(action, { ...rest, unreadFrom: unread, wardenUnread: unread, evacueeUnread: unread }),
        ),
      )

      expect(new Set(publications.map(({ channel }) => channel)).size).toBe(publications.length)
      for (const { data } of publications) expect(Value.Check(Publication, data)).toBe(true)
    }),
  )
})

test('RT-18 a thread with an evacuee is published to the whole event, one between wardens to its two channels only', () => {
  const { publications } = consequencesOf([
    entry('evacuee_replied', { subjectUid: 'person' }),
    entry('message_sent', { subjectUid: 's1', threadUid: 'a2', unreadFrom: ['a2'], wardenUnread: true }),
    entry('messages_read', { subjectUid: 's2', threadUid: 'a1' }),
  ])

  expect(publications).toEqual([
    { channel: 'event:e1', data: { ...running, changed: [{ topic: 'message', ids: ['person'] }] } },
    {
      channel: 'warden:s1',
      data: {
        ...running,
        unread_messages_from_wardens: ['a2'],
        warden_unread_msg: true,
        changed: [{ topic: 'message', ids: ['a2'] }],
      },
    },
    { channel: 'warden:s2', data: { ...running, changed: [{ topic: 'message', ids: ['a1'] }] } },
  ])
})

test('HUB-31 a message to a group of evacuees may affect any thread', () => {
  const { publications } = consequencesOf([
    entry('evacuee_message_sent', { subjectUid: 'person' }),
    entry('evacuee_group_messaged', { subjectUid: 'e1' }),
  ])

  expect(publications).toMatchObject([{ data: { changed: [{ topic: 'message', ids: [] }] } }])
})

test('FEED-06 an action is published to its event if its row has topics, and not otherwise', () => {
  const isHeard = (action: string) =>
    consequencesOf([entry(action, { threadUid: 'a1', offeredByUid: 's2' })]).publications.some(
      ({ channel }) => channel === 'event:e1',
    )

  expect([...actions.keys()].filter(isHeard)).toEqual([...actions.keys()].filter((one) => actions.get(one)?.topics))
})
