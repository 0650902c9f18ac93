import { describe, expect, test } from 'vitest'
import { judge } from './checker.ts'
import type { Evidence } from './checks/verdict.ts'
import type { JournalRow } from './evidence/final-state.ts'
import { at, entry, foreign, goodRun, ids, inDb, status, write } from './good-run.fixture.ts'

type Run = ReturnType<typeof goodRun>
const first = <T>(list: readonly T[]) => list[0] as T

/** Has the upload of a good run undone, as it should be. */
function undone({ state, upload }: Run) {
  const before = ['o0, Amara, Adeyemi', 'p1, Petra, Quiet']
  upload.undo = { before, after: [...before], kills: 2 }
  Object.assign(upload, { seen: { ...upload.seen, state: 'undone' } })
  const told = { action: 'tables_undone', after: { rows: 5, left: 0 } }
  state.journal.push({ ...(state.journal.at(-1) as JournalRow), ...told, position: 6, xid: 106 })
  return upload.undo
}

const lateAt = ({ journal }: Run['state']) => journal.findIndex(({ action }) => action === 'late_record')
const lateKeyOf = ({ keys }: Run['state']) => first(keys.filter(({ key }) => key === 'k0'))

/** What is wrong, the invariants that this breaks, and how to make a good run wrong. */
const corruptions: [string, string[], (run: Run) => void][] = [
  ['an acknowledged status is not there', ['I1'], ({ state }) => state.keys.shift()],
  ['an acknowledged status is not in the journal', ['I1', 'I7', 'I8'], ({ state }) => state.journal.splice(1, 1)],
  [
    'it is kept with another answer than was given',
    ['I1'],
    ({ state }) => (first(state.keys).reply = { status: 'success', superseded: true }),
  ],
  [
    'it is dated an hour late, by a server whose clock jumped',
    ['I1'],
    ({ state }) => (first(state.journal).observedAt = inDb(3610)),
  ],
  ['it is dated an hour early', ['I1', 'I7'], ({ state }) => (first(state.journal).observedAt = inDb(-3590))],
  ['a record took effect twice', ['I2', 'I7'], ({ state }) => state.journal.push(entry({ position: 9, xid: 104 }))],
  [
    'a refused record took effect',
    ['I2'],
    ({ history }) => (first(history.writes).tries = [{ startedAt: 0, endedAt: 0, outcome: 'fail', code: 'not_found' }]),
  ],
  [
    'a refusal was turned about once too often',
    ['I2', 'I7'],
    ({ state }) =>
      state.journal.push(
        entry({
          position: 9,
          xid: 104,
          key: null,
          action: 'evacuee_refusal_set',
          subjectUid: ids.bruno,
          after: { refused: false },
        }),
      ),
  ],
  [
    'two events run at one site',
    ['I3'],
    ({ state }) => state.events.push({ uid: 'e2', siteUid: ids.site, startedAt: inDb(5), endedAt: null }),
  ],
  [
    'a building is in two events',
    ['I3'],
    ({ state }) => {
      state.events.push({ uid: 'e2', siteUid: 's2', startedAt: inDb(5), endedAt: null })
      state.eventBuildings.push({ eventUid: 'e2', buildingUid: ids.building, active: true })
    },
  ],
  ['an ended event holds a building', ['I3'], ({ state }) => (first(state.events).endedAt = inDb(60))],
  ['a text that is called delivered never reached the provider', ['I4'], ({ history }) => history.copies.pop()],
  ['a text still waits', ['I4'], ({ state }) => (first(state.texts).status = 'queued')],
  ['a text was given up', ['I4'], ({ state }) => (first(state.texts).status = 'failed')],
  [
    'a text went out twice without any fault',
    ['I4'],
    ({ history }) => history.copies.push({ ...first(history.copies), at: at(3) }),
  ],
  [
    'a text left after the end of its event',
    ['I3', 'I4'],
    ({ history, state }) => {
      first(state.events).endedAt = inDb(60)
      first(history.copies).at = at(90)
    },
  ],
  ['a text left after its time', ['I4'], ({ history }) => (first(history.copies).at = at(950))],
  [
    'the provider has a text that no one wrote',
    ['I4'],
    ({ history }) => history.copies.push({ to: '61400000009', body: 'Hello #7.', at: at(2) }),
  ],
  ['a count is wrong', ['I5'], ({ state }) => first(state.tallies).safe++],
  ['a place with people has no count', ['I5'], ({ state }) => state.tallies.pop()],
  ['an answer held something of another organisation', ['I6'], ({ state }) => state.owners.set(foreign, 'c2')],
  [
    'a status is not what the journal leads to',
    ['I7', 'I5', 'I8', 'I12'],
    ({ state }) => (first(state.evacuees).status = 'safe'),
  ],
  [
    'a late safe overwrote a newer danger',
    ['I1', 'I7'],
    ({ state }) => ((state.journal[2] as JournalRow).after = status('safe', false)),
  ],
  [
    'a late danger moved someone from where they were seen since',
    ['I7'],
    ({ state }) => {
      const late = { before: { status: 'danger' }, after: { status: 'danger', on_floor: false, superseded: false } }
      state.journal.push(entry({ ...late, position: 9, xid: 104, key: null, observedAt: inDb(12) }))
      first(state.evacuees).onFloor = false
    },
  ],
  ['a phone missed a publication', ['I8'], ({ history }) => first(history.listenings).offsets.splice(1, 1)],
  ['a phone heard nothing of the end', ['I8'], ({ history }) => first(history.listenings).offsets.pop()],
  [
    'an offset was given again to a later change, which a phone therefore missed',
    ['I8'],
    ({ state }) =>
      state.journal.push(entry({ position: 9, xid: 100, key: null, action: 'floor_status_set', recordedAt: inDb(40) })),
  ],
  ['publications came out of order', ['I8'], ({ history }) => first(history.listenings).offsets.reverse()],
  ['a phone heard what is not in the journal', ['I8'], ({ history }) => first(history.listenings).offsets.push(999)],
  [
    'a phone was told of a gap for no reason',
    ['I8'],
    ({ history }) =>
      history.gaps.push({
        who: 'x',
        channel: `event:${ids.event}`,
        lastSeen: 101,
        resumedAt: 104,
        epochChanged: false,
      }),
  ],
  ['the last list is not the table', ['I8'], ({ lastLists }) => lastLists.harbour.status.set(ids.amara, 'safe')],
  [
    'a phone never got an answer',
    ['I9'],
    ({ history }) =>
      history.writes.push(
        write({ key: 'k9', tries: [{ startedAt: 0, endedAt: 0, outcome: 'unknown', code: 'unavailable' }] }),
      ),
  ],
  [
    'a phone lost a record before its first try',
    ['I9'],
    ({ history }) => history.writes.push(write({ key: 'k9', tries: [] })),
  ],
  [
    'an upload was given up',
    ['I10'],
    ({ upload }) => Object.assign(upload, { seen: { ...upload.seen, state: 'failed' } }),
  ],
  ['a person of an upload is there twice', ['I10'], ({ upload }) => (upload.written = 4)],
  [
    'an upload is told twice',
    ['I10'],
    ({ state }) => state.journal.push({ ...(state.journal.at(-1) as JournalRow), position: 6, xid: 106 }),
  ],
  ['someone is not as before after an undo', ['I10'], (run) => (undone(run).after[0] = 'o0, Amara, Changed')],
  ['someone whom an upload added is in use after its undo', ['I10'], (run) => undone(run).after.push('NEW1, New')],
  [
    'an undo was given up',
    ['I10'],
    (run) => {
      undone(run)
      Object.assign(run.upload, { seen: { ...run.upload.seen, state: 'applied' } })
    },
  ],
  [
    'an undo is told twice',
    ['I10'],
    (run) => {
      undone(run)
      run.state.journal.push({ ...(run.state.journal.at(-1) as JournalRow), position: 7, xid: 107 })
    },
  ],
  [
    'an undo left rows as they were',
    ['I10'],
    (run) => {
      undone(run)
      Object.assign(run.state.journal.at(-1) as JournalRow, { after: { rows: 4, left: 1 } })
    },
  ],
  ['a record that was kept late is not in the journal', ['I11'], ({ state }) => state.journal.splice(lateAt(state), 1)],
  [
    'a record was kept late twice',
    ['I11'],
    ({ state }) => state.journal.unshift({ ...(state.journal[lateAt(state)] as JournalRow), position: 9 }),
  ],
  [
    'a danger was kept late as a safe',
    ['I11'],
    ({ state }) => Object.assign(state.journal[lateAt(state)] as JournalRow, { after: { status: 'safe' } }),
  ],
  [
    'a late record is from before its event',
    ['I11'],
    ({ state }) => Object.assign(state.journal[lateAt(state)] as JournalRow, { observedAt: inDb(-901) }),
  ],
  [
    'what the server took during the event was kept late as well',
    ['I2', 'I11'],
    ({ state }) => (lateKeyOf(state).reply = { status: 'success', superseded: false }),
  ],
  [
    'a record that was kept late has no key',
    ['I11'],
    ({ state }) => state.keys.splice(state.keys.indexOf(lateKeyOf(state)), 1),
  ],
  ['a board has more people than its statuses', ['I12'], ({ lastBoards }) => first(lastBoards).totals.people.safe++],
  [
    'a board splits the unknown people into others',
    ['I12'],
    ({ history }) => first(history.boards).board.totals.unknown_by_cause.asked++,
  ],
  [
    'a board is older than what its reader had heard',
    ['I12'],
    ({ history }) => Object.assign(first(history.boards), { since: { channel: `event:${ids.event}`, offset: 104 } }),
  ],
  ['the horizon of a board fell', ['I12'], ({ history }) => history.boards.reverse()],
  ['the last board is not the table', ['I12'], ({ lastBoards }) => first(lastBoards).totals.refused++],
  ['the product did not serve again', ['R'], ({ history }) => (first(history.faults).recoveredIn = null)],
  ['the product served again too late', ['R'], ({ history }) => (first(history.faults).recoveredIn = 15_001)],
]

const brokenOf = (evidence: Evidence) => judge(evidence).flatMap(({ id, broken }) => (broken.length > 0 ? [id] : []))

describe('the checker of fault runs', () => {
  test('finds nothing wrong with a good run, and has looked at everything', () => {
    const verdicts = judge(goodRun())

    expect(verdicts.flatMap(({ broken }) => broken)).toEqual([])
    for (const { id, checked } of verdicts) expect(`${id}: ${checked > 0}`).toBe(`${id}: true`)
  })

  test('finds nothing wrong with a record that was sent late alone, because its event was over before the first try', () => {
    const run = goodRun()
    Object.assign(first(run.history.writes.filter(({ key }) => key === 'k0')), { tries: [] })

    expect(brokenOf(run)).toEqual([])
  })

  test('finds nothing wrong with an upload that was undone', () => {
    const run = goodRun()
    undone(run)

    expect(judge(run).flatMap(({ broken }) => broken)).toEqual([])
  })

  test.each(corruptions)('notices that %s', (_, expected, corrupt) => {
    const run = goodRun()
    corrupt(run)

    expect(brokenOf(run).sort()).toEqual([...expected].sort())
  })

  test('lets an unanswered write have taken effect, or not', () => {
    const run = goodRun()
    const lost = { startedAt: at(10), endedAt: at(20), outcome: 'unknown' as const, code: 'unreachable' }
    const refused = { startedAt: at(60), endedAt: at(60.1), outcome: 'fail' as const, code: 'no_event' }
    run.history.writes[0] = write({ tries: [lost, refused], reply: null })
    run.history.writes.push(write({ key: 'k8', tries: [lost, refused], reply: null }))

    expect(brokenOf(run)).toEqual([])
  })
})
