import { expect, test } from 'vitest'
import { findLostReceipts } from '../receipts.service.ts'
import { rows, states, waitingTexts } from '../sms.fixture.ts'
import { startCentre, startServerOn } from './smpp.fixture.ts'

/** A centre that answers with these ids, and a server that has sent one text for each. */
async function givenIds(ids: readonly string[], over: Parameters<typeof startServerOn>[1] = {}) {
  await using opened = new AsyncDisposableStack()
  const centre = opened.use(await startCentre(() => undefined, { idOf: (nth: number) => ids[nth - 1] }))
  const server = opened.use(await startServerOn(centre, over))
  await waitingTexts(server, ids.length)
  await server.send()
  const all = opened.move()
  const waited = async (secondsAgo: number) => {
    const notedAt = new Date(Date.now() - secondsAgo * 1000)
    await server.db.updateTable('smsPart').set({ notedAt }).where('smsUid', 'is', null).execute()
    return findLostReceipts(server.db)
  }
  return { centre, server, waited, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

test('LADDER-30 a receipt finds its text in six spellings of its id, a few seconds later', async () => {
  const ids = ['abc1', 'ABC2', 'AB-3f', '0000abc4', '2748', 'ABE']
  await using given = await givenIds(ids)
  const { centre, server, waited } = given

  const receipts = ['abc1', 'abc2', 'ab-3F', 'ABC4', '00000ABC', '2750']
  for (const id of receipts) expect(await centre.receipt(id, 'DELIVRD')).toBe(0)

  expect(await states(server)).toEqual({ delivered: 1, handed_over: 5 })
  expect(await waited(4)).toBe(0)
  expect(await states(server)).toEqual({ delivered: 1, handed_over: 5 })
  expect(await waited(6)).toBe(0)
  expect(await states(server)).toEqual({ delivered: 6 })
  // the same receipts again change nothing, and are not lost
  for (const id of receipts) await centre.receipt(id, 'UNDELIV')
  expect([await waited(90), await states(server)]).toEqual([0, { delivered: 6 }])
})

test('LADDER-30 a receipt that fits two texts or none counts for none, and is given up after a minute, once', async () => {
  await using given = await givenIds(['10', 'a'])
  const { centre, server, waited } = given
  await Promise.all(['0A', 'zz'].map((id) => centre.receipt(id, 'DELIVRD')))

  expect(await waited(30)).toBe(0)
  const lost = await Promise.all(Array.from({ length: 4 }, () => waited(61)))

  expect(lost.reduce((sum, count) => sum + count)).toBe(2)
  expect(await states(server)).toEqual({ handed_over: 2 })
  expect((await rows(server)).map(({ providerId }) => providerId).toSorted()).toEqual(['10', 'a'])
})

test.for([
  ['hex', '1a2B', '6699'],
  ['decimal', '0006699', '1A2B'],
] as const)(
  'LADDER-30 with SMPP_MESSAGE_ID=%s the receipt counts at once',
  async ([messageIds, answered, receipted]) => {
    await using given = await givenIds([answered], { messageIds })

    expect(await given.centre.receipt(receipted, 'DELIVRD')).toBe(0)

    expect(await states(given.server)).toEqual({ delivered: 1 })
  },
)
