import { expect } from 'vitest'
import { makePack } from '#features/arrival-pack/calls.ts'
import { textOf, visitorOf } from '#features/arrival-pack/server/pack.fixture.ts'
import { listOccupants } from '#features/evacuation/calls/evacuation.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { test } from '#server/testing/server-test.ts'
import { tablesWith } from '#server/testing/tables-with.ts'
import { startTestServer, type TestServer, withKey } from '#server/testing/test-server.ts'
import { sendTexts, textsOn } from '#server/testing/texts.ts'
import { eventWithPlans, tell } from './plan-access.fixture.ts'

const contactOf = async (server: TestServer, uid: string, set: { email?: string | null; mobile?: string | null }) => {
  await server.db
    .updateTable('person')
    .set(set)
    .where('uid', '=', uid as never)
    .execute()
  const { mobile } = await server.db
    .selectFrom('person')
    .select('mobile')
    .where('uid', '=', uid as never)
    .executeTakeFirstOrThrow()
  return mobile
}

const noticesOf = (server: TestServer, eventUid: string) =>
  server.db
    .selectFrom('planNotice')
    .select(['personUid', 'how', 'toldAt', 'tokenHash'])
    .where('eventUid', '=', eventUid as never)
    .execute()

const linkIn = (text: string | undefined) => /https?:\S+\/v\/[\w-]{22}$/.exec(text?.trim() ?? '')?.[0] ?? 'no link'
const pathOf = (url: string) => new URL(url).pathname

test('PEEP-07 PEEP-08 15 minutes after the end a mail says so once, and its page who, when and why', async ({
  server,
}) => {
  const { ada, open, end, eventUid } = await eventWithPlans(server)
  const email = `ada.${eventUid}@example.test`
  await contactOf(server, ada, { email })
  await open(ada, { reason: 'services' })
  await tell(server)
  await end()
  await tell(server, 14)
  await sendMails(server)
  expect(await mailsTo(server, email)).toEqual([])

  await tell(server)
  await tell(server)
  await sendMails(server)

  const mails = await mailsTo(server, email)
  expect(mails).toMatchObject([{ subject: 'Your evacuation plan was opened' }])
  expect(mails[0]?.body).toMatch(
    /^Your evacuation plan was opened in the event at .+ on \d+ \w+ \d{4}\. Who and why: http\S+\/v\/[\w-]{22}$/,
  )
  const { status, body, headers } = await visitorOf(server).get(pathOf(linkIn(mails[0]?.body)))
  expect([status, headers['content-security-policy']]).toEqual([200, expect.stringContaining("default-src 'none'")])
  const text = textOf(body)
  expect(text).toContain('Who opened your evacuation plan In the event at ')
  expect(text).toMatch(/Chief \d+ ?, Chief Warden ?The fire service asked \d+ \w+, \d\d:\d\d A\w+/)
  expect(body).not.toMatch(/<script|Ada|chair|wheelchair/)
  expect((await noticesOf(server, eventUid)).map(({ personUid, how }) => [personUid, how])).toEqual([[ada, 'mail']])
  const journal = (await server.journalOf(ada)).filter(({ action }) => action === 'plan_notice_sent')
  expect(journal).toMatchObject([{ eventUid, after: { how: 'mail' } }])
})

test('PEEP-07 without an address by text, and who cannot be texted either is not told', async ({ server }) => {
  const { ada, bea, open, end, eventUid } = await eventWithPlans(server)
  const mobile = await contactOf(server, ada, { email: null })
  await contactOf(server, bea, { email: null, mobile: null })
  for (const person of [ada, bea]) await open(person)
  await end()

  await tell(server)
  await sendTexts(server)

  const [text, ...more] = await textsOn(server, mobile)
  expect(text).toMatch(/^Your evacuation plan was opened in the event at .+\. Who and why: http\S+\/v\/[\w-]{22}$/)
  expect(more).toEqual([])
  const notices = await noticesOf(server, eventUid)
  expect(new Map(notices.map(({ personUid, how }) => [personUid, how]))).toEqual(
    new Map([
      [ada, 'text'],
      [bea, 'none'],
    ]),
  )
  expect(textOf((await visitorOf(server).get(pathOf(linkIn(text)))).body)).toContain('Was going to help you')
})

test('PEEP-07 KIND-10 after a drill both say so, and without a mail server a text tells', async ({ server }) => {
  const { ada, bea, open, end, eventUid } = await eventWithPlans(server, { kind: 'drill' })
  const email = `drill.${eventUid}@example.test`
  await contactOf(server, ada, { email })
  const mobile = await contactOf(server, bea, { email: null })
  for (const person of [ada, bea]) await open(person)
  await end()

  await tell(server)
  await sendMails(server)
  await sendTexts(server)

  expect((await mailsTo(server, email)).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^DRILL\W.*Your evacuation plan was opened$/),
  ])
  const texts = (await textsOn(server, mobile)).filter((text) => text.includes('/v/'))
  expect(texts).toEqual([expect.stringMatching(/^DRILL\W.*Your evacuation plan was opened in the event/)])

  const other = await eventWithPlans(server)
  const phone = await contactOf(server, other.ada, { email: `no.${other.eventUid}@example.test` })
  await other.open(other.ada)
  await other.end()
  await tell(server, 16, false)
  await sendTexts(server)
  expect((await textsOn(server, phone)).filter((text) => text.includes('/v/'))).toHaveLength(1)
})

test('PEEP-07 a mail that is lost is followed by a text, and a lost text leaves the person not told', async () => {
  await using server = await startTestServer()
  const { ada, bea, open, end, eventUid } = await eventWithPlans(server)
  const mobile = await contactOf(server, ada, { email: 'gone@example.test' })
  for (const person of [ada, bea]) await open(person)
  await end()
  await tell(server)
  await server.db.updateTable('mail').set({ status: 'failed' }).where('planNoticeUid', 'is not', null).execute()
  await server.db.updateTable('sms').set({ status: 'expired' }).where('kind', '=', 'plan').execute()

  await tell(server, 17)
  await sendTexts(server)
  await tell(server, 18)

  expect((await textsOn(server, mobile)).filter((text) => text.includes('/v/'))).toHaveLength(1)
  const notices = await noticesOf(server, eventUid)
  expect(new Map(notices.map(({ personUid, how }) => [personUid, how]))).toEqual(
    new Map([
      [ada, 'text'],
      [bea, 'none'],
    ]),
  )
})

test('PEEP-07 six workers at once tell each of 30 people once', async ({ server }) => {
  const { org, end, eventUid } = await eventWithPlans(server)
  const people = await server.given.occupants(org, 30)
  await server.db
    .insertInto('planNotice')
    .values(people.map((personUid) => ({ clientUid: org.clientUid, eventUid, personUid })))
    .execute()
  await end()

  await Promise.all(Array.from({ length: 6 }, () => tell(server)))

  const sent = await server.db
    .selectFrom('sms')
    .select('personUid')
    .where('kind', '=', 'plan')
    .where('personUid', 'in', people)
    .execute()
  expect(sent).toHaveLength(30)
  expect(new Set(sent.map(({ personUid }) => personUid)).size).toBe(30)
})

test('PEEP-06 PEEP-07 a pack that showed the plan counts as opened by its reader, and the page names the fire service', async ({
  server,
}) => {
  const { ada, bea, manager, end, eventUid } = await eventWithPlans(server)
  const email = `pack.${eventUid}@example.test`
  await contactOf(server, ada, { email })
  await server.db.updateTable('peep').set({ fireService: false }).where('personUid', '=', bea).execute()
  const { url } = await manager(makePack, { body: { hours: 4, plans: 'yes' } }, withKey())
  const visitor = visitorOf(server)
  // a preview of the link, and the page that asks for the name, show no plan
  await visitor.get(pathOf(url))
  expect(await noticesOf(server, eventUid)).toEqual([])
  const own = String((await visitor.post(pathOf(url), { name: 'Kim, Engine 4' })).headers.location)
  for (let times = 0; times < 2; times += 1) expect((await visitor.get(own)).body).toContain('Evacuation chair')
  await end()

  await tell(server)
  await sendMails(server)

  const [mail, ...more] = await mailsTo(server, email)
  expect(more).toEqual([])
  const text = textOf((await visitor.get(pathOf(linkIn(mail?.body)))).body)
  expect(text).toMatch(/A reader who gave the name Kim, Engine 4 ?Read the page for the fire service/)
  expect((await noticesOf(server, eventUid)).map(({ personUid }) => personUid)).toEqual([ada])
})

test('PEEP-08 the page has also who saw the plan in a list; who only stood in a list is not told', async ({
  server,
}) => {
  const { org, ada, bea, fay, otto, manager, open, end, eventUid } = await eventWithPlans(server)
  const email = `list.${eventUid}@example.test`
  await contactOf(server, ada, { email })
  await (await server.onDuty(fay))(listOccupants, { query: { floor: org.floors[0] } })
  for (const floor of [org.floors[0], org.floors[1]]) await manager(listOccupants, { query: { floor } })
  const helper = await server.onDuty(otto)
  await open(ada, { by: helper, reason: 'helping' })
  await end()

  await tell(server)
  await sendMails(server)

  const [mail] = await mailsTo(server, email)
  const text = textOf((await visitorOf(server).get(pathOf(linkIn(mail?.body)))).body)
  expect(text).toMatch(
    /Chief \d+ ?, Chief Warden ?Read a list of people that shows plans .* Otto \d+ ?, Chief Warden ?Was going to help you/,
  )
  expect(text).not.toContain('Fay')
  expect((await noticesOf(server, eventUid)).map(({ personUid }) => personUid)).not.toContain(bea)
})

test('PEEP-08 an unknown address and one that has ended are one answer, and no table has the token', async ({
  server,
}) => {
  const { ada, open, end, eventUid } = await eventWithPlans(server)
  const email = `ends.${eventUid}@example.test`
  await contactOf(server, ada, { email })
  await open(ada)
  await end()
  await tell(server)
  await sendMails(server)
  const [mail] = await mailsTo(server, email)
  const path = pathOf(linkIn(mail?.body))
  expect((await visitorOf(server).get(path)).status).toBe(200)
  expect(await tablesWith(server, path.slice(3))).toEqual(['public.simulated_mail'])

  await server.db
    .updateTable('planNotice')
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where('eventUid', '=', eventUid)
    .execute()

  const [ended, unknown] = [await visitorOf(server).get(path), await visitorOf(server).get('/v/xxxxxxxxxxxxxxxxxxxxxx')]
  expect([ended.status, textOf(ended.body)]).toEqual([410, 'This page is no longer available.'])
  expect(unknown.body).toBe(ended.body)
})
