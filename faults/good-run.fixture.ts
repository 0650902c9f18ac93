import type { Board } from '#features/board/calls/board.ts'
import type { Evidence } from './checks/verdict.ts'
import type { EvacueeRow, FinalState, JournalRow, TextRow } from './evidence/final-state.ts'
import { type BoardRead, History, type Write } from './evidence/history.ts'

const start = Date.UTC(2026, 0, 5, 9)
export const at = (seconds: number) => start + seconds * 1000
export const inDb = (seconds: number) => at(seconds) * 1000

export const ids = { site: 's1', event: 'e1', earlier: 'e0', building: 'b1', amara: 'p1', bruno: 'p2', warden: 'w1' }
export const foreign = '11111111-1111-4111-8111-111111111111'

export const write = (over: Partial<Write>): Write => ({
  who: 'floor warden',
  organisation: 'harbour',
  personUid: ids.warden,
  kind: 'status',
  key: 'k1',
  subject: ids.amara,
  wanted: 'safe on floor',
  seenAt: at(10),
  tries: [{ startedAt: at(10), endedAt: at(10.1), outcome: 'ok', code: '' }],
  reply: { status: 'success', superseded: false },
  ...over,
})

export const entry = (over: Partial<JournalRow>): JournalRow => ({
  position: 1,
  xid: 101,
  clientUid: 'c1',
  eventUid: ids.event,
  actorPersonUid: ids.warden,
  action: 'evacuee_status_set',
  subjectUid: ids.amara,
  before: { status: 'unknown' },
  after: { status: 'safe', on_floor: true, superseded: false },
  observedAt: inDb(10),
  recordedAt: inDb(10.1),
  key: 'k1',
  ...over,
})

const evacuee = (over: Partial<EvacueeRow>): EvacueeRow => ({
  clientUid: 'c1',
  eventUid: ids.event,
  personUid: ids.amara,
  placeUid: 'l1',
  status: 'safe',
  onFloor: true,
  refused: false,
  active: true,
  ...over,
})

export const status = (word: string, superseded: boolean) => ({ status: word, on_floor: true, superseded })

/** A run without a fault of the product: three records, a late one, a refusal, a text, and a phone that heard everything. */
export function goodRun() {
  const history = goodHistory()
  const state: FinalState = {
    clients: { harbour: 'c1', riverside: 'c2' },
    owners: new Map([[foreign, 'c1']]),
    keys: history.writes.map(({ personUid, key, reply, isKeptLate }) => ({
      personUid,
      key,
      reply: isKeptLate ? { status: 'kept' } : reply,
    })),
    journal: goodJournal(),
    events: [
      { uid: ids.event, siteUid: ids.site, startedAt: inDb(0), endedAt: null },
      { uid: ids.earlier, siteUid: ids.site, startedAt: inDb(-900), endedAt: inDb(-600) },
    ],
    eventBuildings: [{ eventUid: ids.event, buildingUid: ids.building, active: true }],
    evacuees: [
      evacuee({ status: 'danger', onFloor: true }),
      evacuee({ personUid: ids.bruno, status: 'unknown', onFloor: false, refused: true }),
    ],
    tallies: [{ eventUid: ids.event, placeUid: 'l1', safe: 0, unknown: 1, danger: 1, refusals: 1 }],
    texts: [deliveredText()],
  }
  const lastLists = { harbour: { eventUid: ids.event, status: new Map([[ids.amara, 'danger']]) } }
  const seen = { state: 'applied', added: 3, changed: 0, ended: 0, left: 0 } as const
  const upload: Evidence['upload'] = {
    organisation: 'riverside',
    people: 3,
    written: 3,
    seen,
    kills: 2,
    undo: null,
    seconds: {},
  }
  const lastBoards = [history.boards[1]?.board as Board]
  return { history, state, lastLists, lastBoards, upload } satisfies Evidence
}

/** Seen in the event before, refused because that was over, and then kept in its record. */
const lateWrite = () =>
  write({
    key: 'k0',
    wanted: 'in danger',
    seenAt: at(-700),
    tries: [{ startedAt: at(-500), endedAt: at(-499), outcome: 'fail', code: 'no_event' }],
    reply: null,
    isKeptLate: true,
  })

function goodHistory(): History {
  const history = new History()
  const superseded = { status: 'success', superseded: true }
  history.writes.push(
    write({}),
    write({ key: 'k2', wanted: 'in danger', seenAt: at(20) }),
    write({ key: 'k3', wanted: 'safe', seenAt: at(15), reply: superseded }),
    lateWrite(),
    write({ key: 'k4', kind: 'refusal', subject: ids.bruno, wanted: null, reply: { action: 'add' } }),
  )
  history.listenings.push({
    who: 'floor warden',
    organisation: 'harbour',
    channel: `event:${ids.event}`,
    from: 101,
    since: at(10.2),
    offsets: [102, 103, 104],
    named: new Map(),
    isComplete: true,
  })
  history.copies.push({ to: '61491000001', body: 'Fire, evacuate #1. Report in: …', at: at(2) })
  for (const horizon of ['104', '105']) history.boards.push(boardRead(horizon))
  history.faults.push({
    kind: 'API killed',
    startedAt: at(30),
    endedAt: at(31),
    recoveredIn: 1_200,
    recoveryLimit: 15_000,
    lastPart: 'api',
  })
  history.show('harbour', { id: foreign })
  return history
}

/** The board after the last record, read by a manager who had heard all but one publication. */
const boardRead = (horizon: string): BoardRead => ({
  reader: 'chief',
  connection: 0,
  since: { channel: `event:${ids.event}`, offset: 103 },
  board: {
    at: '2026-01-05T09:00:30.000Z',
    horizon,
    event: { id: ids.event },
    totals: {
      people: { safe: 0, unknown: 1, danger: 1, total: 2 },
      unknown_by_place: { not_cleared: 1, cleared: 0 },
      unknown_by_cause: { unclear: 0, text_failed: 0, asked: 0, seen_before: 0, not_asked: 1 },
      refused: 1,
    },
    floors: [{ danger: 1 }, { unknown: 1 }],
  } as unknown as Board,
})

const lateEntry = (): JournalRow =>
  entry({
    position: 0,
    xid: 100,
    eventUid: ids.earlier,
    key: 'k0',
    action: 'late_record',
    before: null,
    after: { status: 'danger', on_floor: false },
    observedAt: inDb(-700),
    recordedAt: inDb(-498),
  })

const goodJournal = (): JournalRow[] => [
  entry({}),
  entry({
    position: 2,
    xid: 102,
    key: 'k2',
    before: { status: 'safe' },
    after: status('danger', false),
    observedAt: inDb(20),
    recordedAt: inDb(20.1),
  }),
  entry({
    position: 3,
    xid: 103,
    key: 'k3',
    before: { status: 'danger' },
    after: status('safe', true),
    observedAt: inDb(15),
    recordedAt: inDb(21),
  }),
  entry({
    position: 4,
    xid: 104,
    key: null,
    action: 'evacuee_refusal_set',
    subjectUid: ids.bruno,
    after: { refused: true },
  }),
  lateEntry(),
  entry({
    position: 5,
    xid: 105,
    clientUid: 'c2',
    eventUid: null,
    key: null,
    action: 'tables_applied',
    after: { added: 3, changed: 0, ended: 0 },
  }),
]

const deliveredText = (): TextRow => ({
  uid: 't1',
  eventUid: ids.event,
  kind: 'warden_alert',
  to: '61491000001',
  body: 'Fire, evacuate #1. Report in: {link}',
  status: 'delivered',
  createdAt: inDb(1),
  validUntil: inDb(901),
})
