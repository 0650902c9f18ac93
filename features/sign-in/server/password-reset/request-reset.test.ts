import { expect } from 'vitest'
import { sha256 } from '#server/platform/secrets.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { wardenOf } from '#server/testing/post.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer, testConfig } from '#server/testing/test-server.ts'
import { tokenIn } from '#server/testing/texts.ts'
import { requestPasswordReset, resetPassword } from '../../calls/password-reset.ts'
import { accepted, mailRows, newToken, request, resetRows, setPassword } from './password-reset.fixture.ts'

const tooMany = (text: string) => ({ status: 429, body: { error: 'too_many_attempts', message: text } })
const later = tooMany('Too many attempts. Try again in 15 minutes.')

test('AMB-028 a link to set a new password is mailed to the person who has the address, greeted by the first name', async ({
  server,
}) => {
  const warden = await wardenOf(server, { firstName: 'Wanda' })

  expect(await request(server, `  ${warden.email.toUpperCase()} `)).toEqual(accepted)
  await sendMails(server)

  const [mail, ...more] = await mailsTo(server, warden.email)
  const link = /\S+token=\S+/.exec(mail?.body ?? '')?.[0]
  expect([mail?.subject, more]).toEqual(['Set a new password for All Wardens', []])
  expect(mail?.body).toMatch(/^Hello Wanda,/)
  expect(link).toBe(`${testConfig.appUrl}/reset-password#token=${tokenIn(link)}`)
  for (const personal of [warden.email, warden.mobile as string, '{link}'])
    expect(mail?.subject + (mail?.body ?? '')).not.toContain(personal)
})

test.for([
  ['that no one has', async () => 'nobody@evac.test'],
  ['of an account that is switched off', (server) => switchedOff(server)],
  ['that is a username', async (server) => (await wardenOf(server, { username: 'wade.reset' })) && 'wade.reset'],
  ['that is a pattern', async () => '%'],
  ['of someone without one', (server) => withoutEmail(server)],
] as const satisfies [string, (server: TestServer) => Promise<string>][])(
  'AMB-028 an address %s gets the same answer and no mail',
  async ([, entryOf], { server }) => {
    const entry = await entryOf(server)
    await sendMails(server)
    const before = await sentCount(server)

    expect(await request(server, entry)).toEqual(accepted)
    await sendMails(server)

    expect(await sentCount(server)).toBe(before)
  },
)

test('AMB-028 T9 for an address that no one has the same rows are written, and none of them names it', async () => {
  await using server = await startTestServer()
  const warden = await wardenOf(server)

  const known = await rowsWritten(server, () => request(server, warden.email))
  const unknown = await rowsWritten(server, () => request(server, 'stranger@elsewhere.test'))

  expect(unknown).toEqual(known)
  const rows = await server.db.selectFrom('mail').selectAll().execute()
  expect(rows.map(({ status, toEmail }) => [status, toEmail])).toEqual([
    ['queued', warden.email],
    ['skipped', null],
  ])
  expect(JSON.stringify(rows)).not.toContain('stranger')
})

test('AMB-028 T7 only the hash of the token is kept: not in the mail, the job or the journal', async () => {
  await using server = await startTestServer()
  const warden = await wardenOf(server)
  const token = await newToken(server, warden)

  const [row] = await resetRows(server, warden)
  const jobs = await server.database.owner.pg.query('select * from pgboss.job')
  const journal = await server.db.selectFrom('journal').selectAll().execute()

  expect(row?.tokenHash).toEqual(sha256(token))
  expect(jobs.rows).not.toEqual([])
  expect(JSON.stringify([row, await mailRows(server, warden), jobs.rows, journal])).not.toContain(token)
})

test('AMB-028 T11 the sixth request for an address within 15 minutes is refused, from wherever, known or not', async ({
  server,
}) => {
  const { email } = await wardenOf(server)

  for (const entry of [email, 'nobody-six@evac.test']) {
    for (let i = 0; i < 5; i++) expect(await request(server, entry)).toEqual(accepted)
    expect(await request(server, entry.toUpperCase())).toEqual(later)
  }
})

test('AMB-028 T30 T9 after many requests from one address a colleague behind it is mailed, and the answer waits, known or not', async () => {
  await using server = await startTestServer()
  const network = '198.51.100.40'
  const { email } = await wardenOf(server)
  await Promise.all(Array.from({ length: 100 }, (_, i) => request(server, `nobody${i}@evac.test`, network)))
  const [, before] = [await sendMails(server), await sentCount(server)]
  const timed = async (entry: string) => {
    const start = performance.now()
    return [await request(server, entry, network), performance.now() - start > 1_000]
  }

  const answers = await Promise.all([timed(email), timed('nobody-late@evac.test')])
  await sendMails(server)

  expect(answers).toEqual([
    [accepted, true],
    [accepted, true],
  ])
  expect((await sentCount(server)) - before).toBe(1)
  expect(await mailsTo(server, email)).toHaveLength(1)
})

test('AMB-028 T11 fifty requests at once are five mails at most, and one link that works', async () => {
  await using server = await startTestServer()
  const warden = await wardenOf(server)

  const answers = await Promise.all(Array.from({ length: 50 }, () => request(server, warden.email)))
  await sendMails(server)

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect((await mailRows(server, warden)).length).toBe(5)
  expect(await mailsTo(server, warden.email)).toHaveLength(1)
  const open = (await resetRows(server, warden)).filter(({ voidedAt }) => voidedAt === null)
  expect(open).toHaveLength(1)
})

test('AMB-028 a newer request makes the older link void', async ({ server }) => {
  const warden = await wardenOf(server)
  const [older, newer] = [await newToken(server, warden), await newToken(server, warden)]

  expect(await setPassword(server, older)).toBe('link_over')
  expect(await setPassword(server, newer)).toBe('changed')
})

test('AMB-028 two requests at once leave one link that works', async ({ server }) => {
  const warden = await wardenOf(server)
  const held = await server.hold('account', warden.accountUid)
  const requests = Promise.all([request(server, warden.email), request(server, warden.email)])
  await held.waiting(2)

  await held.release()

  expect(await requests).toEqual([accepted, accepted])
  expect((await resetRows(server, warden)).filter(({ voidedAt }) => voidedAt === null)).toHaveLength(1)
})

test.for([
  ['where another page resets passwords', { passwordResetUrl: 'https://accounts.example/reset' }],
  ['without a way out for mails', { mail: undefined }],
])('AMB-028 %s no reset is offered', async ([, over]) => {
  await using server = await startTestServer({ config: { ...testConfig, ...(over as object) } })

  const attempts = [
    server.stranger(requestPasswordReset, { body: { email: 'chief@harbour.test' } }),
    server.stranger(resetPassword, { body: { token: 'x', password: 'x' } }),
  ]

  expect(await refused(...attempts)).toEqual(['not_found', 'not_found'])
})

const sentCount = async ({ db }: TestServer) => (await db.selectFrom('simulatedMail').select('uid').execute()).length

async function switchedOff(server: TestServer) {
  const { accountUid, email } = await wardenOf(server)
  await server.db.updateTable('account').set({ active: false }).where('uid', '=', accountUid).execute()
  return email
}

async function withoutEmail(server: TestServer) {
  const { accountUid, email } = await wardenOf(server, { username: 'no.mail' })
  await server.db.updateTable('account').set({ email: null }).where('uid', '=', accountUid).execute()
  return email
}

/** How many rows of which tables a piece of work adds. */
async function rowsWritten({ database }: TestServer, work: () => Promise<unknown>) {
  const count = async () => {
    const { rows } = await database.owner.pg.query<{ resets: number; mails: number; jobs: number; tries: number }>(`
      select (select count(*) from password_reset) as resets, (select count(*) from mail) as mails,
        (select count(*) from pgboss.job) as jobs, (select count(*) from recent_attempt) as tries`)
    return rows[0] as Record<string, number>
  }
  const before = await count()
  await work()
  const after = await count()
  return Object.fromEntries(Object.keys(after).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]))
}
