import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { getBoardFloor } from '#features/board/calls/board-panel.ts'
import { createEvent } from '#features/events/calls/events.ts'
import { handleReport, listReports, openUnknownTexts } from '#features/self-report/calls.ts'
import { keepInboundText } from '#features/texts/server/inbound/inbound.service.ts'
import type { SelfReportUid } from '#kernel/ids.ts'
import { startInput } from '#server/testing/event-input.ts'
import { wrongTallies } from '#server/testing/recount.ts'
import { testsWithServer } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { sendToWarden } from '../calls/messaging.ts'
import {
  askPerson,
  type Conversation,
  conversation,
  replyFrom,
  statusOf,
  withEvacuee,
  withWarden,
} from './messaging.fixture.ts'
import { receiveReply } from './receive-reply.service.ts'

/** One event at a time, so that a text of an unknown number is for it. */
const test = testsWithServer().extend<{ c: Conversation }>({
  c: async ({ server }, use) => {
    await server.db.updateTable('event').set({ endedAt: new Date() }).where('endedAt', 'is', null).execute()
    await use(await conversation(server))
  },
})

let numbers = 0
const stranger = () => `6148155${String(++numbers).padStart(4, '0')}`
const reports = ({ manager }: Conversation) => manager(listReports, { query: { state: 'open', texts: 'yes' } })
const seen = 'Thank you. Wardens can see your text. If you are in danger, call 000.'

/** A second person with the number. */
const withSecond = async (server: TestServer, c: Conversation) => {
  const other = { firstName: 'Ben', lastName: 'Bolt', mobile: c.mobile, floorUid: c.org.otherFloorUid }
  const person = await server.given.occupant(c.org, other)
  await c.manager(createEvent, startInput(c.org, { buildings: [c.org.otherBuildingUid] }))
  return { ...c, person }
}

test("ANS-05 of two people with one mobile no one's '1' makes the other safe: both threads show it, and help names both", async ({
  server,
  c,
}) => {
  const second = await withSecond(server, c)
  for (const one of [c, second]) await askPerson(one)

  await replyFrom(server, c.mobile, '1')

  for (const one of [c, second]) {
    expect(await statusOf(server, one)).toBe('unknown')
    const { messages } = await withEvacuee(c.asAnn, one.person)
    expect(messages.at(-1)).toMatchObject({ text: '1', recorded: null, shared_with: expect.stringMatching(/Ben Bolt/) })
    expect(messages.at(-1)?.shared_with).toContain('Olga Orr')
  }
  await replyFrom(server, c.mobile, '2')
  const { reports: open } = await reports(c)
  expect(open).toMatchObject([{ way: 'text', says: 'help', words: '2', name: expect.stringMatching(/, /) }])
  expect([await statusOf(server, c), await statusOf(server, second)]).toEqual(['unknown', 'unknown'])
  expect(await wrongTallies(server.db, c.eventUid)).toEqual([])
})

test("NUM-03 a text from a second number sets no status, and stands in Reports with its person's name", async ({
  server,
  c,
}) => {
  const second = stranger()
  await server.db.updateTable('person').set({ secondMobile: second }).where('uid', '=', c.person).execute()
  await askPerson(c)

  await replyFrom(server, second, '2 help')

  expect(await statusOf(server, c)).toBe('unknown')
  expect((await reports(c)).reports).toMatchObject([{ says: 'help', name: 'Olga Orr' }])
})

test('ANS-05 ANS-07 a call for help of an unknown number stands on the board and in Reports, is answered once, and can be handled', async ({
  server,
  c,
}) => {
  const mobile = stranger()

  expect(await replyFrom(server, mobile, 'I need help, trapped in the lift')).toEqual({ outcome: 'reported' })
  expect(await replyFrom(server, mobile, 'lift 3')).toEqual({ outcome: 'reported' })

  const { reports: open, help } = await reports(c)
  expect(open).toMatchObject([
    {
      way: 'text',
      says: 'help',
      name: null,
      mobile,
      unsure: false,
      elsewhere: false,
      person: null,
      words: 'I need help, trapped in the lift\nlift 3',
    },
  ])
  expect(help).toBe(1)
  await sendTexts(server)
  expect(await textsOn(server, mobile)).toEqual([seen])
  const params = { uid: open[0]?.uid as SelfReportUid }
  await c.manager(handleReport, { params, body: { act: 'answered', who: 'Engine 4' } }, withKey())
  expect((await reports(c)).reports).toEqual([])
  await replyFrom(server, mobile, 'help again')
  expect((await reports(c)).reports).toMatchObject([{ says: 'help', words: 'help again' }])
})

test('ANS-05 a call for help is read however far back it stands in a long text, also behind an answer', async ({
  server,
  c,
}) => {
  const texts = [
    [stranger(), `${'z '.repeat(1_500)}help`],
    [c.mobile, `1 ${'ok '.repeat(600)}trapped`],
  ] as const
  for (const [fromNumber, text] of texts) await receiveReply(server.app, { providerId: randomUUID(), fromNumber, text })

  expect((await reports(c)).reports.map(({ says }) => says)).toEqual(['help', 'help'])
})

test('ANS-05 other words of an unknown number are shown, and can only be dismissed; a doubtful call is a call that says so', async ({
  server,
  c,
}) => {
  const [words, doubtful] = [stranger(), stranger()]
  await replyFrom(server, words, '1')
  await replyFrom(server, doubtful, "I don't need help")

  const { reports: open } = await reports(c)
  expect(open.map(({ says, unsure, mobile }) => [says, unsure, mobile])).toEqual([
    ['help', true, doubtful],
    ['words', false, words],
  ])
  const act = (body: { act: 'accept' | 'dismiss' }) =>
    c.manager(handleReport, { params: { uid: open[1]?.uid as SelfReportUid }, body }, withKey())
  await expect(act({ act: 'accept' })).rejects.toMatchObject({ code: 'invalid_transition' })
  expect(await act({ act: 'dismiss' })).toMatchObject({ report: { state: 'dismissed' } })
  // the former version of the app cannot draw a text that only has words
  await replyFrom(server, words, 'Where are you?')
  const old = await c.manager(listReports, { query: { state: 'open' } })
  expect(old.reports.map(({ says }) => says)).toEqual(['help'])
})

test('ANS-05 help of one person who was not asked is a call that names them at their place, sets nothing, and stays in their thread', async ({
  server,
  c,
}) => {
  await replyFrom(server, c.mobile, 'Smoke here!')

  expect(await statusOf(server, c)).toBe('unknown')
  expect((await reports(c)).reports).toMatchObject([
    { says: 'help', name: 'Olga Orr', floor: { id: c.org.floorUid }, person: { id: c.person } },
  ])
  const { calls } = await c.manager(getBoardFloor, { params: { floorId: c.org.floorUid } })
  expect(calls).toMatchObject([{ name: 'Olga Orr', words: 'Smoke here!' }])
  expect((await withEvacuee(c.asAnn, c.person)).messages.at(-1)).toMatchObject({ text: 'Smoke here!' })
  await sendTexts(server)
  expect(await textsOn(server, c.mobile)).toEqual([seen])
})

test('ANS-05 help of a warden goes to the writer and is a call that names them, also where no one wrote to them', async ({
  server,
  c,
}) => {
  const toCas = { message: 'Report in?', receiverId: c.cas.assignmentUid, to: c.signIns.cas, from: c.signIns.ann }
  await c.asAnn(sendToWarden, { body: toCas })

  await replyFrom(server, c.cas.mobile, 'I am hurt')
  await replyFrom(server, c.bob.mobile, 'Which door?')
  expect((await reports(c)).reports.map(({ says, words }) => [says, words])).toEqual([
    ['help', 'I am hurt'],
    ['words', 'Which door?'],
  ])
  await replyFrom(server, c.bob.mobile, 'we are stuck')

  const { messages } = await withWarden(c.asAnn, c.cas)
  expect(messages.at(-1)).toMatchObject({ text: 'I am hurt' })
  const { reports: open } = await reports(c)
  expect(open.map(({ says, name, words }) => [says, name?.split(' ')[0], words])).toEqual([
    ['help', 'Cas', 'I am hurt'],
    ['help', 'Bob', 'Which door?\nwe are stuck'],
  ])
})

test('ANS-03 a person who quotes our question calls for no help by its words', async ({ server, c }) => {
  await askPerson(c)

  expect(await replyFrom(server, c.mobile, 'Liked “Reply 1 if you are safe, 2 if you need help.”')).toEqual({
    outcome: 'stored',
  })
  expect(await replyFrom(server, c.mobile, '> Reply 1 if you are safe, 2 if you need help.\n1')).toEqual({
    outcome: 'status_set',
  })

  expect(await statusOf(server, c)).toBe('safe')
  expect((await reports(c)).reports).toEqual([])
})

test('ANS-07 200 unknown numbers at once are shown, the others are counted; closed texts still let calls for help in', async ({
  server,
  c,
}) => {
  const all = Array.from({ length: 210 }, stranger)
  await Promise.all(all.map((mobile) => replyFrom(server, mobile, 'What is going on?')))

  const frame = await reports(c)
  expect([frame.open, frame.more_numbers, frame.texts_open]).toEqual([200, 10, true])
  expect(await replyFrom(server, stranger(), 'fire')).toEqual({ outcome: 'reported' })
  await c.manager(openUnknownTexts, { body: { open: 'no' } }, withKey())
  expect(await replyFrom(server, stranger(), 'hello')).toEqual({ outcome: 'unmatched' })
  expect(await replyFrom(server, stranger(), 'HELP')).toEqual({ outcome: 'reported' })
  expect(await reports(c)).toMatchObject({ texts_open: false, open: 202, help: 2 })
  const rows = await server.db.selectFrom('receivedReply').select(['outcome']).execute()
  const by = Map.groupBy(rows, ({ outcome }) => outcome)
  expect([by.get('overflow')?.length, by.get('closed')?.length]).toEqual([10, 1])
})

test('ANS-07 twenty texts of one number at once are one entry with all words, and one answer', async ({
  server,
  c,
}) => {
  const mobile = stranger()
  await Promise.all(Array.from({ length: 20 }, (_, nth) => replyFrom(server, mobile, `help ${nth}!`)))

  const { reports: open } = await reports(c)
  expect(open).toHaveLength(1)
  expect(open[0]?.words?.split('\n')).toHaveLength(20)
  await sendTexts(server)
  expect(await textsOn(server, mobile)).toEqual([seen])
})

test('ANS-08 where two organisations have an event, help of a number that neither knows is shown to both, other words to none', async ({
  server,
  c,
}) => {
  const other = await conversation(server)
  const [lost, known] = [stranger(), stranger()]
  await server.given.occupant(other.org, { firstName: 'Vi', lastName: 'Vance', mobile: known })

  await replyFrom(server, lost, 'help')
  expect(await replyFrom(server, stranger(), 'hello')).toEqual({ outcome: 'unmatched' })
  await replyFrom(server, known, 'hello')

  expect((await reports(c)).reports).toMatchObject([{ mobile: lost, elsewhere: true }])
  expect((await reports(other)).reports).toMatchObject([
    { mobile: lost, elsewhere: true },
    { mobile: known, says: 'words', name: 'Vi Vance', elsewhere: false },
  ])
})

test('ANS-10 a name and a short code are counted; a picture and an empty text are shown in words', async ({
  server,
  c,
}) => {
  const say = (fromNumber: string, text: string, media = 0) =>
    receiveReply(server.app, { providerId: crypto.randomUUID(), fromNumber, text, media })
  expect([await say('Mum', 'help'), await say('12345', 'help')]).toEqual([
    { outcome: 'unmatched' },
    { outcome: 'unmatched' },
  ])
  await say(c.mobile, '', 1)
  await say(c.mobile, '\u200b')
  await say(c.mobile, 'look', 2)

  const { messages } = await withEvacuee(c.asAnn, c.person)
  expect(messages.map(({ text }) => text)).toEqual([
    'Picture, not shown here.',
    'Empty text.',
    'look\nPicture, not shown here.',
  ])
  const counted = await server.app.metrics.inboundTexts.get()
  const byOutcome = Object.fromEntries(counted.values.map(({ labels, value }) => [String(labels.outcome), value]))
  const rows = await server.db.selectFrom('receivedReply').select('outcome').execute()
  expect(counted.values.reduce((sum, { value }) => sum + value, 0)).toBe(rows.length)
  expect(byOutcome).toMatchObject({ not_a_phone: 2 })
})

test('ANS-09 NUM-01 a national spelling, digits of another script, a prefix of another country and a plus are one number', async ({
  server,
  c,
}) => {
  const national = `0${c.mobile.slice(2)}`
  const from = [
    [national, 'unknown'],
    [national, 'national'],
    [c.mobile.slice(2), 'national'],
    // what the provider says of the number is not true
    [national, 'international'],
    [`+${national}`, 'unknown'],
    [`00${c.mobile}`, 'international'],
    [`0011${c.mobile}`, 'international'],
    [`tel:+${c.mobile}`, 'unknown'],
    [`+${c.mobile}`, 'unknown'],
    [`00${c.mobile}`, 'unknown'],
    [`0011${c.mobile}`, 'unknown'],
    [`011${c.mobile}`, 'unknown'],
    [c.mobile, 'international'],
    [`+${c.mobile.slice(0, 2)} (0)${c.mobile.slice(2)}`, 'unknown'],
    [`${c.mobile.slice(0, 2)}0${c.mobile.slice(2)}`, 'international'],
    [national.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit))), 'unknown'],
    [`\u202a${national.slice(0, 4)}\u2011${national.slice(4)}\u202c`, 'national'],
  ] as const
  for (const [nth, [spelling, kind]] of from.entries())
    await keepInboundText(server.app, {
      gateway: 'smpp',
      providerId: `${c.eventUid} ${nth}`,
      from: spelling,
      kind,
      body: 'hello',
    })

  const kept = await server.db
    .selectFrom('inboundText')
    .select('fromMobile')
    .where('providerId', 'like', `${c.eventUid}%`)
    .execute()
  expect(kept.map(({ fromMobile }) => fromMobile)).toEqual(from.map(() => c.mobile))
})

test('ANS-09 a national number of people in two countries is of the one whom a running event has texted, else of neither', async ({
  server,
  c,
}) => {
  const abroad = await conversation(server)
  await server.db.updateTable('client').set({ country: 'UK' }).where('uid', '=', abroad.org.clientUid).execute()
  const mobile = `44${c.mobile.slice(2)}`
  await server.db.updateTable('person').set({ mobile }).where('uid', '=', abroad.person).execute()
  const national = `0${c.mobile.slice(2)}`
  const senderOf = async (body: string) => {
    const providerId = randomUUID()
    await keepInboundText(server.app, { gateway: 'smpp', providerId, from: national, kind: 'national', body })
    const kept = server.db.selectFrom('inboundText').select('fromMobile').where('providerId', '=', providerId)
    return (await kept.executeTakeFirstOrThrow()).fromMobile
  }

  expect(await senderOf('no one was asked')).toBe(national)
  await askPerson(abroad)
  expect(await senderOf('the one abroad was asked')).toBe(mobile)
  await askPerson(c)
  expect(await senderOf('both were asked')).toBe(national)
})
