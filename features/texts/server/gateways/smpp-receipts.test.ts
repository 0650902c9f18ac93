import { expect, test } from 'vitest'
import { rows, states, waitingTexts } from '../sms.fixture.ts'
import { type Centre, startCentre, startServerOn } from './smpp.fixture.ts'

const inTwoPieces = 'Leave now. '.repeat(20)

/** A centre that has taken so many texts and reported nothing yet. */
async function givenTaken(count: number, body = 'Leave now.') {
  await using opened = new AsyncDisposableStack()
  const centre = opened.use(await startCentre())
  const server = opened.use(await startServerOn(centre))
  await waitingTexts(server, count)
  await server.db.updateTable('sms').set({ body }).execute()
  await server.send()
  const all = opened.move()
  return { centre, server, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

test('F11 a receipt decides the state, in words where the text was lost', async () => {
  await using taken = await givenTaken(5)
  const { centre, server } = taken

  await Promise.all([
    centre.receipt('m1', 'DELIVRD'),
    centre.receipt('m2', 'UNDELIV', '027'),
    centre.receipt('m3', 'ACCEPTD'),
    centre.deliver({ esm_class: 4, source_addr: '1', receipted_message_id: 'm4', message_state: 8 }),
    centre.receipt('m5', 'UNKNOWN'),
  ])

  const told = (await rows(server)).map(({ providerId, status, reason }) => [providerId, status, reason])
  expect(told.sort()).toEqual([
    ['m1', 'delivered', null],
    ['m2', 'failed', 'The network could not deliver the text. (027)'],
    ['m3', 'handed_over', null],
    ['m4', 'failed', 'The network turned the text down.'],
    ['m5', 'handed_over', null],
  ])
})

test('F11 doubled, contradicting and unknown receipts are confirmed and change nothing', async () => {
  await using taken = await givenTaken(2)
  const { centre, server } = taken
  await Promise.all([centre.receipt('m1', 'DELIVRD'), centre.receipt('m2', 'EXPIRED')])
  const before = await rows(server)

  const again = ['m1', 'm2', 'nobody'].flatMap((id) =>
    ['DELIVRD', 'UNDELIV', 'DELIVRD'].map((stat) => centre.receipt(id, stat)),
  )
  expect(new Set(await Promise.all(again))).toEqual(new Set([0]))

  expect(await rows(server)).toEqual(before)
})

test('F11 a receipt that comes before the text is noted as taken still finds it', async () => {
  let early: Promise<number> | undefined
  await using centre: Centre = await startCentre((nth) => {
    early = centre.receipt(`m${nth}`, 'DELIVRD')
    return undefined
  })
  await using server = await startServerOn(centre)
  await waitingTexts(server, 1)
  const parts = () => server.db.selectFrom('smsPart').selectAll().execute()

  await server.send()
  expect(await early).toBe(0)

  expect(await parts()).toMatchObject([{ providerId: 'm1', state: 'delivered' }])
  expect(await states(server)).toEqual({ delivered: 1 })
})

test('F11 a receipt that could not be written is not confirmed, so that it comes again', async () => {
  await using taken = await givenTaken(1)
  const { centre, server } = taken
  const { pg } = server.database.owner

  await pg.query('alter table sms_part rename to away')
  expect(await centre.receipt('m1', 'DELIVRD')).toBe(0x64)
  await pg.query('alter table away rename to sms_part')
  expect(await centre.receipt('m1', 'DELIVRD')).toBe(0)

  expect(await states(server)).toEqual({ delivered: 1 })
})

test('F11 of a text in pieces, too, the first word about each piece stands', async () => {
  await using taken = await givenTaken(1, inTwoPieces)
  const { centre, server } = taken

  for (const [id, stat] of [
    ['m1', 'DELIVRD'],
    ['m1', 'UNDELIV'],
    ['m2', 'DELIVRD'],
  ] as const)
    expect(await centre.receipt(id, stat)).toBe(0)

  expect(await states(server)).toEqual({ delivered: 1 })
})

test('F11 the last two pieces at once: the text is delivered all the same', async () => {
  await using taken = await givenTaken(30, inTwoPieces)
  const { centre, server } = taken

  await Promise.all(centre.taken.map(({ id }) => centre.receipt(id, 'DELIVRD')))

  expect(await states(server)).toEqual({ delivered: 30 })
})
