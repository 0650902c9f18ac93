import { expect } from 'vitest'
import { invitePerson } from '#features/people/calls/sign-in-acts.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator, steppingClock } from '#server/testing/administrators.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { test } from '#server/testing/server-test.ts'
import { startTestServer, type TestServer, withKey } from '#server/testing/test-server.ts'
import { type MailWish, takeMails } from './mail-limits.service.ts'

const tooMany = /^Too many emails\. Try again at \d\d:\d\d \S+\.$/

async function administered(server: TestServer) {
  const org = await server.given.organisation()
  const admin = await givenAdministrator(server, org)
  const call = await asAdministrator(server, admin)
  const newWarden = async () => {
    const warden = await server.given.warden(org)
    await server.db.updateTable('account').set({ passwordHash: null }).where('uid', '=', warden.accountUid).execute()
    return warden
  }
  const invite = (uid: PersonUid) =>
    call(invitePerson, { params: { uid } }, withKey()).then(
      ({ status }) => status as string,
      (error: { code: string; message: string }) => `${error.code} ${error.message}`,
    )
  return { org, admin, newWarden, invite }
}

test('SEND-01 of forty invitations of a person at once five are sent, and the others say when the next may go', async ({
  server,
}) => {
  const { newWarden, invite } = await administered(server)
  const [warden, other] = [await newWarden(), await newWarden()]

  const answers = await Promise.all(Array.from({ length: 40 }, () => invite(warden.personUid)))
  const refusals = answers.filter((answer) => answer !== 'invited')

  expect(refusals).toHaveLength(35)
  for (const refusal of new Set(refusals)) expect(refusal.replace('too_many_requests ', '')).toMatch(tooMany)
  expect(await invite(other.personUid)).toBe('invited')
  const { rows } = await server.database.system.pg.query('select uid from mail where to_email = $1', [warden.email])
  expect(rows).toHaveLength(5)
})

test('SEND-01 an address gets five mails of a kind an hour and twelve a day', async () => {
  const clock = steppingClock()
  await using server = await startTestServer({ clock })
  const { newWarden, invite } = await administered(server)
  const { personUid } = await newWarden()
  const sent: number[] = []
  for (const _ of [1, 2, 3, 4]) {
    const answers: string[] = []
    for (let n = 0; n < 6; n++) answers.push(await invite(personUid))
    sent.push(answers.filter((answer) => answer === 'invited').length)
    clock.pass(3_601)
  }

  expect(sent).toEqual([5, 5, 2, 0])
})

test('SEND-01 someone sends 60 an hour, 500 of ticked people, and an organisation 500 a day and two for each of its staff', async ({
  server,
}) => {
  const { org, admin } = await administered(server)
  const now = new Date()
  let n = 0
  const take = (over: Partial<MailWish> = {}) =>
    takeMails(server.database.system.db, now, {
      clientUid: org.clientUid,
      personUid: admin.personUid,
      kind: 'invitation',
      isBulk: false,
      to: [`a${++n}@limits.test`],
      ...over,
    }).then(
      () => 'taken',
      ({ message }: Error) => message,
    )
  const one = []
  for (let of = 0; of < 61; of++) one.push(await take())
  const colleague = await take({ personUid: (await givenAdministrator(server, org)).personUid })
  const bulk = await take({ isBulk: true, to: Array.from({ length: 430 }, (_, of) => `b${of}@limits.test`) })
  await server.database.system.pg.query("update throttle set count = 503 where key = 'day/mail/' || $1", [
    org.clientUid,
  ])
  const withStaff = [await take({ isBulk: true }), await take({ isBulk: true }), await take({ isBulk: true })]

  expect(one.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 'taken'))
  expect(one[60]).toMatch(tooMany)
  expect([colleague, bulk]).toEqual(['taken', 'taken'])
  // the two administrators are its staff
  expect(withStaff).toEqual(['taken', expect.stringMatching(tooMany), expect.stringMatching(tooMany)])
})

test("SEND-02 '{link}' in the name of an organisation, a place or a role brings no token into a foreign address", async ({
  server,
}) => {
  const { org, newWarden, invite } = await administered(server)
  const name = 'https://evil.test/?{link}'
  const { pg } = server.database.system
  await pg.query('update client set name = $2 where uid = $1', [org.clientUid, `${name} A`])
  await pg.query("update building set name = $2 || ' ' || code where client_uid = $1", [org.clientUid, name])
  await pg.query("update site set name = $2 || ' ' || code where client_uid = $1", [org.clientUid, name])
  const warden = await newWarden()
  await pg.query("update warden_role set name = $2 || ' ' || code where client_uid = $1", [org.clientUid, name])

  expect(await invite(warden.personUid)).toBe('invited')
  await sendMails(server)
  const [mail] = await mailsTo(server, warden.email)
  const lines = (mail?.body ?? '').split('\n')

  expect(lines.filter((line) => /token=/.test(line))).toEqual([
    expect.stringMatching(/^http:\/\/localhost:\d+\/console\/invitation#token=[\w-]{43}$/),
  ])
  expect(`${mail?.subject} ${mail?.body}`).toContain('https://evil.test/?(link)')
  expect(`${mail?.subject} ${mail?.body}`).not.toMatch(/evil\.test\/\?http|\{link\}/)
})
