import { expect } from 'vitest'
import { type Board, getBoard } from '#features/board/calls/board.ts'
import { boardGiven, newestOffset } from '#features/board/server/board.fixture.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { sealEvent } from '#features/log/server/sealing.service.ts'
import { openSigner } from '#features/log/server/signed-note.ts'
import { writeDueRecords } from '#features/records/server/record-work.service.ts'
import { endInput } from './testing/event-input.ts'
import { openTransaction } from './testing/open-transaction.ts'
import { test } from './testing/server-test.ts'

test.for([
  ['FEED-01', 'open'],
  ['FEED-05', 'prepared'],
] as const)(
  '%s board, sealing and records do not wait for a transaction of another database: %s',
  async ([, how], { server }) => {
    const { manager, org, record, of } = await boardGiven(server)
    await using _ = await openTransaction(undefined, how)
    await record(0, 'in danger')

    const newest = Number(await newestOffset(server))
    const horizon = async () => Number(((await manager(getBoard, { query: {} })) as Board).horizon)
    await expect.poll(horizon, { timeout: 5_000 }).toBeGreaterThan(newest)

    await manager(endEvent, endInput(org, { buildings: [org.buildingUid, org.otherBuildingUid] }))
    expect(await sealEvent(server.db, of)).toMatchObject({ isWhole: true })
    const signer = openSigner(server.app.secrets.recordLog, server.config.appUrl)
    const fail = (error: unknown) => expect.unreachable(String(error))
    await writeDueRecords(
      { system: server.db, signer, documents: server.app.documents },
      fail,
      new AbortController().signal,
    )
    expect(
      await server.db.selectFrom('eventRecord').select('state').where('eventUid', '=', of.eventUid).execute(),
    ).toEqual([{ state: 'ready' }])
  },
)
