import { expect } from 'vitest'
import { signDueHeads, signHead } from '#features/log/server/heads.service.ts'
import { sealEvent } from '#features/log/server/sealing.service.ts'
import { verifierKey } from '#features/log/server/signed-note.ts'
import { startMailServer } from '#features/mail/server/mail.fixture.ts'
import { createMailTransport } from '#features/mail/server/mail.service.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { sendMails } from '#server/testing/mails.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { addToRecord, type NewAction } from '../../calls/additions.ts'
import { writeDueRecords } from '../record-work.service.ts'
import { givenDrilled, givenRecord, workOf, writeRecords } from '../records.fixture.ts'
import { mailAboutRecords } from './record-mails.service.ts'

const mailingOf = (server: TestServer) => {
  const { system, signer } = workOf(server)
  return { system, key: verifierKey(signer), config: server.config, jobs: server.app.jobs }
}

/** What workers queue now. */
const mailNow = (server: TestServer, now?: Date) =>
  mailAboutRecords(
    mailingOf(server),
    (trouble) => {
      throw trouble
    },
    now,
  )
const queued = (server: TestServer, kind: 'record' | 'action', eventUid: string) =>
  server.db
    .selectFrom('mail')
    .select(['toEmail', 'subject', 'body'])
    .where('kind', '=', kind)
    .where('body', 'like', `%${eventUid}%`)
    .orderBy('createdAt')
    .execute()

/** The log waits for the oldest transaction of the cluster: until the closing is sealed and under a head nothing is mailed. */
async function mailedRecord(server: TestServer, eventUid: string, clientUid: string) {
  const of = { clientUid, eventUid } as Parameters<typeof sealEvent>[1]
  await expect
    .poll(async () => {
      await sealEvent(server.database.system.db, of)
      await signHead(workOf(server), of)
      await mailNow(server)
      return (await queued(server, 'record', eventUid)).length
    })
    .toBeGreaterThan(0)
  return queued(server, 'record', eventUid)
}

test('LOG-09, KIND-11: each event manager of the site gets the closing mail with sentences, head and key, and a drill says so in its subject', async ({
  server,
}) => {
  const { eventUid, chief, org, record } = await givenRecord(server)
  const modules = ['Module_Event_Management'] as const
  const [own, other] = [org.buildingUid, org.otherBuildingUid]
  const ofBuilding = await server.given.warden(org, { role: 'Building Warden', modules, buildingUid: own })
  await server.given.warden(org, { role: 'Building Warden', modules, buildingUid: other })
  await server.given.warden(org, { role: 'Chief Warden', dateTo: '2020-01-01', dateFrom: '2019-01-01' })
  const mails = await mailedRecord(server, eventUid, org.clientUid)

  const head = await server.db
    .selectFrom('recordHead')
    .selectAll()
    .where('eventUid', '=', eventUid)
    .orderBy('size', 'desc')
    .executeTakeFirstOrThrow()
  const told = (n: number) => record?.sentences.find(({ number }) => number === n)?.text
  const day = new Date(`${record?.started_at}`).toLocaleDateString('en-AU', {
    timeZone: record?.timezone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  expect(mails.map(({ toEmail }) => toEmail).toSorted()).toEqual([chief.email, ofBuilding.email].toSorted())
  expect(mails.slice(0, 1)).toEqual([
    {
      toEmail: expect.any(String),
      subject: `DRILL Record 1: ${record?.type} at Harbour Campus, ${day}`,
      body: `The record is ready:\n${server.config.appUrl}/event/records/${eventUid}

${told(1)}
${told(5)}
${told(6)}

Log head: ${head.size} ${head.root.toString('base64')}
Key: ${mailingOf(server).key}

Keep this mail. It can show later whether this record was changed.`,
    },
  ])
  expect([told(1), told(5), told(6)]).not.toContain(undefined)
})

test('LOG-09, KIND-11: the mail of a live event has no DRILL before its subject, and arrives by a mail server as it is', async ({
  server,
}) => {
  const { org, start, end } = await givenDrilled(server, 0)
  const eventUid = await start({ kind: 'live' })
  await end()
  await writeRecords(server)
  const [mail] = await mailedRecord(server, eventUid, org.clientUid)
  expect(mail?.subject).toMatch(/^Record 1: /)
  expect(mail?.body).not.toContain('DRILL')
  await using post = await startMailServer()

  await sendMails(server, {
    transport: createMailTransport(server.db, { mail: { smtpUrl: post.url }, mailFrom: 'a@evac.test' }),
  })

  expect(post.received.map(({ body }) => body.trim())).toContain(mail?.body)
})

test('LOG-09: six workers at once, and again, mail each manager once; one killed before its head was signed is followed by the next', async ({
  server,
}) => {
  const { org, start, end } = await givenDrilled(server, 0)
  const eventUid = await start()
  await end()
  const work = workOf(server)
  const { system, signer } = work
  const sign = () => {
    throw new Error('killed')
  }
  const ready = () =>
    server.db.selectFrom('eventRecord').select('state').where('eventUid', '=', eventUid).executeTakeFirst()
  await expect
    .poll(async () => {
      await writeDueRecords({ ...work, signer: { ...signer, sign } }, () => undefined, new AbortController().signal)
      return ready()
    })
    .toEqual({ state: 'ready' })
  await mailNow(server)
  expect(await queued(server, 'record', eventUid)).toEqual([])
  await expect
    .poll(async () => {
      await sealEvent(system, { clientUid: org.clientUid, eventUid })
      await signDueHeads(work, (trouble) => {
        throw trouble
      })
      return (await server.db.selectFrom('recordHead').select('size').where('eventUid', '=', eventUid).execute()).length
    })
    .toBe(1)

  await Promise.all(Array.from({ length: 6 }, () => mailNow(server)))
  await mailedRecord(server, eventUid, org.clientUid)
  await mailNow(server)

  expect(await queued(server, 'record', eventUid)).toHaveLength(1)
})

test('LOG-09: a worker killed while it queues closing mails leaves none, and the next one queues each', async ({
  server,
}) => {
  const { eventUid, org } = await givenRecord(server)
  const killed = {
    ...mailingOf(server),
    jobs: {
      enqueue: async () => {
        throw new Error('killed')
      },
    },
  }
  const troubles: unknown[] = []
  await expect
    .poll(async () => {
      await sealEvent(server.database.system.db, { clientUid: org.clientUid, eventUid })
      await signHead(workOf(server), { clientUid: org.clientUid, eventUid })
      await mailAboutRecords(killed, (trouble) => troubles.push(trouble))
      return troubles.length
    })
    .toBeGreaterThan(0)
  expect(await queued(server, 'record', eventUid)).toEqual([])

  await mailNow(server)

  expect(await queued(server, 'record', eventUid)).toHaveLength(1)
})

test('LOG-09: without a mail server nothing is queued, and a record of an event that ended a week ago is not mailed', async ({
  server,
}) => {
  const { eventUid, org } = await givenRecord(server)
  await mailAboutRecords({ ...mailingOf(server), config: { ...server.config, mail: undefined } }, () => undefined)
  expect(await queued(server, 'record', eventUid)).toEqual([])
  const endedAt = new Date(Date.now() - 8 * 86_400_000)
  const setEnd = (at: Date) =>
    server.db.updateTable('eventRecord').set({ endedAt: at }).where('eventUid', '=', eventUid).execute()
  await setEnd(endedAt)
  await mailNow(server)
  expect(await queued(server, 'record', eventUid)).toEqual([])

  await setEnd(new Date())

  expect(await mailedRecord(server, eventUid, org.clientUid)).toHaveLength(1)
})

/** 09:00 in Sydney of that day, in summer time. */
const sydney = (day: string, time: string) => new Date(`${day}T${time}:00+11:00`)

async function givenAction(server: TestServer, owner: NewAction['owner'], due: string) {
  const at = await givenRecord(server)
  await server.db.updateTable('site').set({ timezone: 'Australia/Sydney' }).where('uid', '=', at.org.siteUid).execute()
  const body = { what: 'Oil the stair door', priority: 'High' as const, owner, due }
  const add = (person: PersonUid) =>
    at.manager(
      addToRecord,
      { params: { eventUid: at.eventUid }, body: { kind: 'action', body: { ...body, owner: { ...owner, person } } } },
      withKey(),
    )
  return { ...at, add }
}

test('AAR-32: an owner with an address is told once when given an action, and at 08:00 at the site on its due day', async ({
  server,
}) => {
  const { add, ada, eventUid } = await givenAction(server, { name: 'Ada' }, '2034-01-09')
  await add(ada.personUid)
  const actions = () => queued(server, 'action', eventUid)

  await Promise.all(Array.from({ length: 4 }, () => mailNow(server)))
  await mailNow(server)
  const body = `Due 9 January 2034. From Record 1 at Harbour Campus.\n${server.config.appUrl}/event/records/${eventUid}`
  expect(await actions()).toEqual([{ toEmail: ada.email, subject: 'Action for you: Oil the stair door', body }])

  await mailNow(server, sydney('2034-01-08', '23:00'))
  await mailNow(server, sydney('2034-01-09', '07:59'))
  await mailNow(server, sydney('2034-01-10', '00:01'))
  expect(await actions()).toHaveLength(1)
  await mailNow(server, sydney('2034-01-09', '08:00'))
  await mailNow(server, sydney('2034-01-09', '08:05'))
  expect((await actions()).slice(1)).toEqual([{ toEmail: ada.email, subject: 'Due today: Oil the stair door', body }])
})

test('AAR-32: no one is told of an action that is done, whose owner is a name only, or whose owner has left or has no address', async ({
  server,
}) => {
  const { add, ada, chief, manager, eventUid } = await givenAction(server, { name: 'Ada' }, '2034-01-09')
  const { entry } = await add(ada.personUid)
  const step = { target: entry.uid, base: entry.uid, step: 'done' as const }
  await manager(addToRecord, { params: { eventUid }, body: { kind: 'action_step', body: step } }, withKey())
  const named = {
    what: 'Oil the other door',
    priority: 'Low' as const,
    owner: { name: 'The electrician' },
    due: '2034-01-09',
  }
  await manager(addToRecord, { params: { eventUid }, body: { kind: 'action', body: named } }, withKey())
  await add(chief.personUid)
  await server.db.updateTable('person').set({ active: false }).where('uid', '=', chief.personUid).execute()

  await mailNow(server)
  await mailNow(server, sydney('2034-01-09', '09:00'))

  expect(await queued(server, 'action', eventUid)).toEqual([])
})
