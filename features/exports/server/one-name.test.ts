import { sql } from 'kysely'
import { expect } from 'vitest'
import { getBoardFloor } from '#features/board/calls/board-panel.ts'
import { getCommand } from '#features/command/calls/command.ts'
import { listWardensOnDuty } from '#features/duty/calls/attendance.ts'
import { listOccupants } from '#features/evacuation/calls/evacuation.ts'
import { getSafetyData } from '#features/evacuation/calls/safety.ts'
import { listUnaccounted } from '#features/events/calls/events.ts'
import { getEvacueeThread, getWardenThread } from '#features/messaging/calls/messaging.ts'
import { listNames, listTimeline } from '#features/records/calls/records.ts'
import { givenDrilled, writeRecords } from '#features/records/server/records.fixture.ts'
import { test } from '#server/testing/server-test.ts'
import { exported, unzip } from './exports.fixture.ts'
import { pagesFor } from './pdf/sections.fixture.ts'

/** One name with a space before or behind it, or with the comma of a list. */
const badlyJoined = /(["( ] )(Suharto|Sukarno|Mandela)|(Suharto|Sukarno|Mandela)( [ "]|, ")/

test('NUM-06 who has one name stands by it alone in an event, its record, the PDF and the tables', async ({
  server,
}) => {
  const at = await givenDrilled(server, 2)
  const { org, ada, chief, persons, manager } = at
  const named = [
    ...persons.map((uid) => [uid, 'Suharto'] as const),
    [ada.personUid, 'Sukarno'] as const,
    [chief.personUid, 'Mandela'] as const,
  ]
  for (const [uid, name] of named)
    await sql`update person set first_name = '', last_name = ${name} where uid = ${uid}`.execute(server.db)
  const [one, two] = persons as [(typeof persons)[0], (typeof persons)[0]]

  const eventUid = await at.start()
  const { call, mark, refuse, clear } = await at.warden()
  await mark(one, 'safe')
  await refuse(two)
  await clear()
  const shown = {
    floor: await call(listOccupants, { query: {} }),
    panel: await manager(getBoardFloor, { params: { floorId: org.floorUid } }),
    safety: await manager(getSafetyData, {}),
    unaccounted: await manager(listUnaccounted, { query: { event: eventUid, status: 'unknown' } }),
    wardens: await manager(listWardensOnDuty, { query: {} }),
    command: await manager(getCommand, {}),
    thread: await manager(getEvacueeThread, { query: { toEvacuee: one } }),
    wardenThread: await manager(getWardenThread, { query: { toWarden: ada.assignmentUid } }),
  }
  await at.end()
  await writeRecords(server)
  const recorded = {
    record: await at.record(eventUid),
    names: await manager(listNames, { params: { eventUid }, body: { list: 'refused' } }),
    timeline: await manager(listTimeline, { params: { eventUid }, query: { show: 'all' } }),
    pdf: await pagesFor(server, eventUid, 'all'),
    tables: [...(await unzip((await exported(server, manager, eventUid, 'csv', 'all')).file))].map(
      ([name, text]) => `${name}\n${text}`,
    ),
  }

  for (const [page, reply] of Object.entries({ ...shown, ...recorded })) {
    const text = JSON.stringify(reply)
    expect(text, page).toMatch(/Suharto|Sukarno|Mandela/)
    expect(text, page).not.toMatch(badlyJoined)
  }
  expect((await server.evacueeOf(eventUid, one))?.sortName).toBe('suharto')
})
