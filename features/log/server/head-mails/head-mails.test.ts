import { sql } from 'kysely'
import { expect } from 'vitest'
import { letTimePass, startMailServer } from '#features/mail/server/mail.fixture.ts'
import { createMailTransport } from '#features/mail/server/mail.service.ts'
import { resume, suspend } from '#features/organisation/server/organisations.service.ts'
import { listTimeline } from '#features/records/calls/records.ts'
import { givenDrilled, writeRecords } from '#features/records/server/records.fixture.ts'
import type { EventUid } from '#kernel/ids.ts'
import { openPools } from '#server/testing/database.ts'
import { bundleNow, sealWhole, signingOf } from '#server/testing/event-log.ts'
import { sendMails } from '#server/testing/mails.ts'
import { test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { signHead } from '../heads.service.ts'
import { sealEvent } from '../sealing.service.ts'
import { mailHeads } from './head-mails.service.ts'

const fail = (error: unknown) => {
  throw error
}
/** What a worker queues now. `system`: the pool of another one. */
const mailNow = (server: TestServer, system = server.db) =>
  mailHeads({ system, config: server.config, jobs: server.app.jobs }, fail)

const addresses = (name: string) => [`insurer@${name}.test`, `counsel@${name}.test`, `archive@${name}.test`]

/** An organisation that sends its heads to three addresses of its own. */
async function sender(server: TestServer) {
  const drilled = await givenDrilled(server, 2)
  const to = addresses(drilled.org.clientUid)
  await server.db
    .updateTable('client')
    .set({ logHeadAddresses: to.join('\n') })
    .where('uid', '=', drilled.org.clientUid)
    .execute()
  const ofEvent = (eventUid: EventUid) => ({ clientUid: drilled.org.clientUid, eventUid })
  /** Seals and signs what there is, as a worker does. */
  const sign = async (eventUid: EventUid) => {
    await sealEvent(server.db, ofEvent(eventUid))
    return signHead(signingOf(server), ofEvent(eventUid))
  }
  const queued = () =>
    server.db
      .selectFrom('mail')
      .select(['toEmail', 'subject', 'body'])
      .where('toEmail', 'in', to)
      .orderBy('createdAt')
      .orderBy('toEmail')
      .execute()
  return { ...drilled, to, ofEvent, sign, queued }
}

/** Until the closing stands under a head, which waits for other transactions of the machine. */
async function closeAndSign(server: TestServer, at: Awaited<ReturnType<typeof sender>>, eventUid: EventUid) {
  await at.end()
  await writeRecords(server)
  await sealWhole(server, at.ofEvent(eventUid))
  await at.sign(eventUid)
}

const actionsOf = async (server: TestServer, eventUid: EventUid) =>
  (await server.journalOf(eventUid)).filter(({ action }) => action === 'log_head_mailed')

test('SEAL-15 KIND-11 each address gets the head of the start and that of the closing, and the bundle continues both', async ({
  server,
}) => {
  const at = await sender(server)
  const eventUid = await at.start()
  await mailNow(server)
  expect(await at.queued()).toEqual([])
  const first = await at.sign(eventUid)

  await mailNow(server)
  await mailNow(server)
  const start = await at.queued()
  await closeAndSign(server, at, eventUid)
  await mailNow(server)
  await mailNow(server)

  const all = await at.queued()
  const day = new Date().toLocaleDateString('en-AU', {
    timeZone: 'Australia/Sydney',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  expect(start.map(({ toEmail }) => toEmail)).toEqual(at.to.toSorted())
  expect([start.length, all.length]).toEqual([3, 6])
  expect(new Set(all.map(({ subject }) => subject))).toEqual(
    new Set([`DRILL Log head of Fire at Harbour Campus, ${day}`]),
  )
  const headsTold = [start[0], all.at(-1)].map((mail) => /^(\d+ \S{44})\n\nKey: (\S+)\n\n(.*)$/.exec(mail?.body ?? ''))
  expect(headsTold[0]?.[1]).toBe(`${first?.size} ${first?.root.toString('base64')}`)
  using bundle = await bundleNow(server, at.ofEvent(eventUid))
  for (const told of headsTold) {
    expect(told?.[3]).toBe('Keep this mail. It can show later whether this record was changed.')
    const { code, lines } = await bundle.check('--head', told?.[1] ?? '', '--key', told?.[2] ?? '')
    expect([code, lines[0]]).toEqual([0, 'INTACT'])
    expect(lines[1]).toBe(`The first ${told?.[1]?.split(' ')[0]} entries are those of the head you gave.`)
  }
})

test('SEAL-15 a live event has no DRILL before its subject; the log says which heads were mailed, and to how many', async ({
  server,
}) => {
  const at = await sender(server)
  const eventUid = await at.start({ kind: 'live' })
  const head = await at.sign(eventUid)
  await mailNow(server)

  expect((await at.queued())[0]?.subject).toMatch(/^Log head of Fire at Harbour Campus, \d+ \w+ \d{4}$/)
  const root = head?.root.toString('base64')
  expect(await actionsOf(server, eventUid)).toMatchObject([{ after: { size: head?.size, root, addresses: 3 } }])
  await closeAndSign(server, at, eventUid)
  const { entries } = await at.manager(listTimeline, { params: { eventUid }, query: { show: 'all' } })
  expect(entries.map(({ what }) => what)).toContain(`Mailed the log head ${head?.size} ${root} to 3 addresses`)
})

test('SEAL-15 eight workers at once mail each head once to each address', async ({ server }) => {
  const at = await sender(server)
  const eventUid = await at.start()
  await at.sign(eventUid)
  await using other = openPools(server.database.connection)

  await Promise.all(Array.from({ length: 8 }, (_, nth) => mailNow(server, nth % 2 ? other.system.db : server.db)))

  expect((await at.queued()).map(({ toEmail }) => toEmail)).toEqual(at.to.toSorted())
  expect(await actionsOf(server, eventUid)).toHaveLength(1)
})

test('SEAL-15 a worker killed while it queues leaves nothing, and the next one queues each', async ({ server }) => {
  const at = await sender(server)
  await at.sign(await at.start())
  const troubles: unknown[] = []
  const enqueue = async () => {
    throw new Error('killed')
  }
  await mailHeads({ system: server.db, config: server.config, jobs: { enqueue } }, (trouble) => troubles.push(trouble))
  expect([troubles.length > 0, await at.queued()]).toEqual([true, []])

  await mailNow(server)

  expect(await at.queued()).toHaveLength(3)
})

test('SEAL-15 a mail server that is away loses no head: it is sent when that is back', async ({ server }) => {
  const at = await sender(server)
  await at.sign(await at.start())
  await mailNow(server)
  const to = (url: string) => ({
    transport: createMailTransport(server.db, { mail: { smtpUrl: url }, mailFrom: 'a@evac.test' }),
    onTrouble: () => undefined,
  })
  await sendMails(server, to('smtp://127.0.0.1:9'))
  await using post = await startMailServer()

  await letTimePass(server)
  await sendMails(server, to(post.url))

  const received = post.received.filter((mail) => at.to.includes(mail.to[0] ?? ''))
  const [{ body = '' } = {}] = await at.queued()
  expect(received.map((mail) => mail.body.trim())).toEqual([body, body, body])
})

test('SEAL-15 nothing is mailed of a suspended organisation, without addresses or without a mail server', async ({
  server,
}) => {
  const at = await sender(server)
  const eventUid = await at.start()
  await at.sign(eventUid)
  await mailHeads({ system: server.db, config: { mail: undefined }, jobs: server.app.jobs }, fail)
  const { code } = await server.db
    .selectFrom('client')
    .select('code')
    .where('uid', '=', at.org.clientUid)
    .executeTakeFirstOrThrow()
  await suspend(server.db, code, { evenInEvent: true })
  await mailNow(server)
  expect([await at.queued(), await actionsOf(server, eventUid)]).toEqual([[], []])
  await resume(server.db, code)
  await mailNow(server)
  expect(await at.queued()).toHaveLength(3)

  const none = await sender(server)
  await sql`update client set log_head_addresses = '' where uid = ${none.org.clientUid}`.execute(server.db)
  const quiet = await none.start()
  await none.sign(quiet)
  await mailNow(server)
  expect([await none.queued(), await actionsOf(server, quiet)]).toEqual([[], []])
})
