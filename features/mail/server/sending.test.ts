import { expect, test } from 'vitest'
import { openJobs } from '#server/platform/db/jobs.ts'
import { sendMails } from '#server/testing/mails.ts'
import { startTestServer, testConfig } from '#server/testing/test-server.ts'
import { carrier, letTimePass, rows, startMailServer, states, waitingMails } from './mail.fixture.ts'
import { claimMails } from './mail.queries.ts'
import { createMailTransport } from './mail.service.ts'
import { noTransport } from './mail-transport.ts'
import { Undeliverable } from './outgoing.ts'

test('AMB-028 a mail reaches a mail server as text with its link, from the sender that is set', async () => {
  await using server = await startTestServer()
  await using post = await startMailServer()
  const [warden] = await waitingMails(server, 1)
  const mailFrom = 'All Wardens <wardens@harbour.test>'
  const transport = createMailTransport(server.db, { mail: { smtpUrl: post.url }, mailFrom })

  await sendMails(server, { transport })

  const [mail, ...more] = post.received
  const [row] = await rows(server)
  expect([mail?.from, mail?.to, more]).toEqual(['wardens@harbour.test', [warden?.email], []])
  expect(mail?.headers).toMatch(/^From: All Wardens <wardens@harbour\.test>/m)
  expect(mail?.headers).toMatch(/^Subject: Set a new password for All Wardens/m)
  expect(mail?.headers).toMatch(/^Auto-Submitted: auto-generated/m)
  expect(mail?.headers).toMatch(new RegExp(`^Message-ID: <${row?.uid}@evac>`, 'm'))
  expect(mail?.body).toMatch(new RegExp(`\n${testConfig.appUrl}/reset-password#token=[\\w-]{43}\n`))
  expect(await states(server)).toEqual({ handed_over: 1 })
})

test('F9 a mail server that is away is asked again; what it will never take has failed; no one is named', async () => {
  await using server = await startTestServer()
  const [first] = await waitingMails(server, 1)
  const complaints: unknown[] = []
  const sendBy = (smtpUrl: string) =>
    sendMails(server, {
      transport: createMailTransport(server.db, { mail: { smtpUrl }, mailFrom: 'a@evac.test' }),
      onTrouble: (error) => complaints.push(error),
    })

  await sendBy('smtp://127.0.0.1:1')
  expect(await rows(server)).toMatchObject([
    { status: 'queued', attempts: 1, reason: 'The mail server could not be reached.' },
  ])
  await using picky = await startMailServer({
    onRcptTo: ({ address }, _, done) => done(Object.assign(new Error(`<${address}> unknown`), { responseCode: 550 })),
  })
  await letTimePass(server)
  await sendBy(picky.url)

  expect(await rows(server)).toMatchObject([{ status: 'failed', reason: 'The mail server refused it (550).' }])
  expect(complaints).toHaveLength(1)
  expect(String(complaints[0])).toMatch(/^Error: mail server: E\w+/)
  expect(String(complaints) + JSON.stringify(complaints)).not.toContain(first?.email)
})

test('F9 a server that asks to wait is asked again, and a password it refuses fails no mail', async () => {
  await using server = await startTestServer()
  await waitingMails(server, 1)
  const trouble: string[] = []
  const sendBy = (smtpUrl: string) =>
    sendMails(server, {
      transport: createMailTransport(server.db, { mail: { smtpUrl }, mailFrom: 'a@evac.test' }),
      onTrouble: (error) => trouble.push(String(error)),
    })
  await using busy = await startMailServer({
    onRcptTo: (_, __, done) => done(Object.assign(new Error('try later'), { responseCode: 450 })),
  })
  await using locked = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_, __, done) => done(new Error('wrong')),
  })

  await sendBy(busy.url)
  await letTimePass(server)
  await sendBy(locked.url.replace('//', '//user:secret-of-the-relay@'))

  expect(await states(server)).toEqual({ queued: 1 })
  expect(trouble).toEqual(['Error: mail server: EENVELOPE 450', 'Error: mail server: EAUTH 535'])
})

test('F3 six workers at once hand over each of 30 mails once', async () => {
  await using server = await startTestServer()
  await waitingMails(server, 30)
  const { transport, taken } = carrier()

  await Promise.all(Array.from({ length: 6 }, () => sendMails(server, { transport })))

  expect(taken).toHaveLength(30)
  expect(new Set(taken.map(({ reference }) => reference)).size).toBe(30)
  expect(await states(server)).toEqual({ handed_over: 30 })
})

test('F3 what a killed worker held is sent by the next one, once its lease has run out', async () => {
  await using server = await startTestServer()
  await waitingMails(server, 6)
  await claimMails(server.db, 4)
  const { transport, taken } = carrier()

  await sendMails(server, { transport })
  expect(taken).toHaveLength(2)
  await letTimePass(server)
  await sendMails(server, { transport })

  expect(new Set(taken.map(({ reference }) => reference)).size).toBe(6)
})

test('F9 a link that can no longer be used is not mailed, and without a mail server every mail fails visibly', async () => {
  await using server = await startTestServer()
  await waitingMails(server, 2)
  const { transport, taken } = carrier(() => {
    throw new Undeliverable('No such mailbox.')
  })
  const [late] = await rows(server)
  const past = new Date(Date.now() - 1000)
  await server.db
    .updateTable('mail')
    .set({ validUntil: past })
    .where('uid', '=', late?.uid as string)
    .execute()

  await sendMails(server, { transport })
  expect((await rows(server)).map(({ status, reason }) => `${status} ${reason}`)).toEqual([
    'expired It could not be sent in time.',
    'failed No such mailbox.',
  ])
  expect(taken).toEqual([])

  await server.db
    .updateTable('mail')
    .set({ status: 'queued', claimedUntil: null, validUntil: new Date(Date.now() + 60_000) })
    .execute()
  await sendMails(server, { transport: noTransport })
  expect((await rows(server)).map(({ reason }) => reason)).toEqual(Array(2).fill('No mail server is set up.'))
})

test('F3 a requested link is mailed within a second or two: its job wakes the worker', async () => {
  await using server = await startTestServer()
  await using post = await startMailServer()
  const transport = createMailTransport(server.db, { mail: { smtpUrl: post.url }, mailFrom: 'a@evac.test' })
  const jobs = await openJobs(server.database.connection, { works: true, onTrouble: console.error })
  await jobs.work({
    nightly: async () => {},
    chores: { mails: { inJob: true, run: () => sendMails(server, { transport }) } },
    sweepMs: 60_000,
  })

  await waitingMails(server, 1)

  await expect.poll(() => post.received.length, { timeout: 20_000 }).toBe(1)
  await jobs.stop()
})
