import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { Secret } from 'otpauth'
import { expect } from 'vitest'
import {
  confirmEnrolment,
  type NextStep,
  signInToConsole,
  startEnrolment,
} from '#features/sign-in/calls/console-sign-in.ts'
import { acceptInvitation } from '#features/sign-in/calls/invitations.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { currentCode } from '#server/platform/one-time-codes.ts'
import { asAdministrator, givenAdministrator, secrets } from '#server/testing/administrators.ts'
import { openTestDatabase } from '#server/testing/database.ts'
import { createGiven } from '#server/testing/given.ts'
import { testPassword } from '#server/testing/given-wardens.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { startNode } from '#server/testing/nodes.ts'
import { refused } from '#server/testing/refused.ts'
import { crowdedTest as test } from '#server/testing/server-test.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { resetSecondFactor } from '../calls/administrators.ts'
import { listRescues, mailOwedLinks } from './owed-links.service.ts'

const migration = readFileSync(
  new URL('../../../server/migrations/before-0.1/0153-links-owed-to-administrators.sql', import.meta.url),
  'utf8',
)
/** What the upgrade does to the rows that are there. */
const upgrade = ({ db }: Pick<TestServer, 'db'>) =>
  sql.raw(/^update [^;]+;/m.exec(migration)?.[0] as string).execute(db)

/** What each worker does, once a minute. */
async function work({ app, db, config }: TestServer, over: Partial<TestServer['config']> = {}) {
  await mailOwedLinks({ system: db, jobs: app.jobs, secrets, config: { ...config, ...over } }, (error) => {
    throw error
  })
}

const linkIn = (body = '') => /#token=([\w-]{43})/.exec(body)?.[1] as string

/** Invitations of the person, the journal, and the mails that have arrived. */
async function gotten(server: TestServer, { personUid, email }: { personUid: PersonUid; email: string }) {
  await sendMails(server)
  const sent = (await server.journalOf(personUid)).filter(({ action }) => action === 'invitation_sent')
  return { mails: await mailsTo(server, email), sent: sent.map(({ actorPersonUid }) => actorPersonUid) }
}

test('AUTH-29 at the upgrade an administrator without a second factor is mailed a link, and sets it up', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org, { isNew: true, reach: 'site', siteUid: org.siteUid })
  expect(
    await refused(server.stranger(signInToConsole, { body: { name: admin.email, password: testPassword } })),
  ).toEqual(['use_link'])

  await upgrade(server)
  await work(server)

  const { mails, sent } = await gotten(server, admin)
  expect(mails).toEqual([
    {
      subject: `Set up your second factor for ${org.name}`,
      body: expect.stringMatching(
        /^All Wardens was upgraded, and sends you this by itself\. .*\n\nOpen this link within 7 days and give your password:\nhttp\S+\/console\/invitation#token=[\w-]{43}\n\nIf the link has ended, another administrator can invite you again\.\n\n/,
      ),
    },
  ])
  expect(sent).toEqual([null])
  const token = linkIn(mails[0]?.body)
  const { ticket } = (await server.stranger(acceptInvitation, { body: { token, password: testPassword } })) as NextStep
  const { secret } = await server.stranger(startEnrolment, { body: { ticket } })
  const code = currentCode(Buffer.from(Secret.fromBase32(secret).bytes), new Date())
  const { me } = await server.stranger(confirmEnrolment, { body: { ticket, code } })
  expect(me.reach).toEqual({ kind: 'site', name: org.siteName })
})

test('AUTH-29 each is mailed once, however many workers run at once and again, also after the link has ended', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const admins = await Promise.all([1, 2, 3].map(() => givenAdministrator(server, org, { isNew: true })))
  await upgrade(server)

  await Promise.all(Array.from({ length: 8 }, () => work(server)))
  await server.db
    .updateTable('invitation')
    .set({ expiresAt: new Date(0) })
    .where('clientUid', '=', org.clientUid)
    .execute()
  await work(server)
  await server.db.deleteFrom('invitation').where('clientUid', '=', org.clientUid).execute()
  await work(server)

  for (const admin of admins) {
    const { mails, sent } = await gotten(server, admin)
    expect([mails.length, sent.length]).toEqual([1, 1])
  }
})

test('AUTH-29 only who was left by the upgrade is mailed: active, with a grant and a password, and without a link since', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const nora = await givenAdministrator(server, org)
  const [inactive, revoked, invited, ready, linked] = [
    await givenAdministrator(server, org, { isNew: true }),
    await givenAdministrator(server, org, { isNew: true }),
    await givenAdministrator(server, org, { isInvited: true }),
    await givenAdministrator(server, org),
    await givenAdministrator(server, org, { isNew: true }),
  ]
  const warden = await server.given.warden(org)
  await server.db.updateTable('person').set({ active: false }).where('uid', '=', inactive.personUid).execute()
  await server.db
    .updateTable('administrator')
    .set({ revokedAt: new Date() })
    .where('uid', '=', revoked.administratorUid)
    .execute()
  await upgrade(server)
  const later = await givenAdministrator(server, org, { isNew: true })
  await (await asAdministrator(server, nora))(resetSecondFactor, { params: { uid: linked.administratorUid } })

  await work(server)

  for (const one of [inactive, revoked, invited, ready, warden, later, nora])
    expect(await gotten(server, one)).toEqual({ mails: [], sent: [] })
  expect((await gotten(server, linked)).sent).toEqual([nora.personUid])
})

test('AUTH-29 without email set up, or an address, the operator is told at each start and by the doctor, and a link stays owed', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const { code } = await server.db
    .selectFrom('client')
    .select('code')
    .where('uid', '=', org.clientUid)
    .executeTakeFirstOrThrow()
  const [admin, nameless] = [
    await givenAdministrator(server, org, { isNew: true }),
    await givenAdministrator(server, org, { isNew: true }),
  ]
  const address = (email: string | null) => [
    server.db.updateTable('person').set({ email }).where('uid', '=', nameless.personUid).execute(),
    server.db.updateTable('account').set({ email, username: 'nora' }).where('uid', '=', nameless.accountUid).execute(),
  ]
  await Promise.all(address(null))
  await upgrade(server)
  const told = async (mail: TestServer['config']['mail']) =>
    (await listRescues(server.db, { mail })).filter((line) => line.startsWith(`${code}:`))

  await work(server, { mail: undefined })
  expect((await gotten(server, admin)).sent).toEqual([])
  expect(await told(undefined)).toEqual([
    `${code}: 2 administrators have no second factor, and email is not set up: npm run organisation -- reset-second-factor ${code} EMAIL`,
  ])

  await work(server)
  expect((await gotten(server, admin)).sent).toEqual([null])
  expect(await told(server.config.mail)).toEqual([
    `${code}: An administrator has no second factor, and no email address for the link to set it up. Enter one in People`,
  ])

  await Promise.all(address('nora@school.test'))
  await work(server)
  expect((await gotten(server, { ...nameless, email: 'nora@school.test' })).mails).toHaveLength(1)
  expect(await told(server.config.mail)).toEqual([])
})

test('AUTH-29 two nodes that start at once on the upgraded database queue one mail', { timeout: 60_000 }, async () => {
  await using database = await openTestDatabase()
  const { db } = database.fixtures
  const { email } = await givenAdministrator({ db }, await createGiven(db).organisation(), { isNew: true })
  await upgrade({ db })
  const settings = { SMTP_URL: 'smtp://127.0.0.1:1' }

  await using one = await startNode(database, settings)
  await using other = await startNode(database, settings)

  const mails = () => db.selectFrom('mail').select('toEmail').where('kind', '=', 'invitation').execute()
  await expect.poll(mails, { timeout: 20_000 }).toEqual([{ toEmail: email }])
  await Promise.all([one.stop(), other.stop()])
  expect(await mails()).toEqual([{ toEmail: email }])
})
