import { expect } from 'vitest'
import { resetSecondFactor } from '#features/administrators/calls/administrators.ts'
import { changePerson, getPerson } from '#features/people/calls/people.ts'
import { changePeople } from '#features/people/calls/people-bulk.ts'
import { erasePerson } from '#features/people/calls/person-data.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { listOwnSignInChanges, listSignInChanges } from '../calls.ts'
import { asOperator } from './decide.ts'
import { inAct } from './in-act.service.ts'
import { tellingOf } from './told.service.ts'

type Call = Awaited<ReturnType<typeof givenConsole>>['call']

const changeEmail = async (call: Call, uid: PersonUid, email: string) => {
  const { version } = await call(getPerson, { params: { uid } })
  await call(changePerson, { params: { uid }, body: { version, email } }, withKey())
}

const grantOf = ({ db }: TestServer, personUid: PersonUid) =>
  db
    .selectFrom('administrator')
    .select('uid')
    .where('personUid', '=', personUid)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow()

test('AUTH-27 what people were told stands in the list, with who did it; each administrator sees their own reach', async ({
  server,
}) => {
  const { org, call, ofSite } = await givenConsole(server)
  const away = await server.given.site(org, { name: 'Away' })
  const holder = await givenAdministrator(server, org, { seesPlans: true, firstName: 'Kim', lastName: 'Lee' })
  const warden = await server.given.warden(org)
  const abroad = await server.given.warden(away)
  const grantUid = (await grantOf(server, holder.personUid)).uid

  await call(resetSecondFactor, { params: { uid: grantUid as never } }, withKey())
  await changeEmail(call, warden.personUid, 'new@evac.test')
  await changeEmail(call, abroad.personUid, 'abroad@evac.test')
  await server.db
    .transaction()
    .execute((tx) =>
      inAct(
        tellingOf({ ...server.app, now: new Date() }),
        tx,
        asOperator(org.clientUid),
        { act: 'deactivate', people: [warden.personUid] },
        async () => undefined,
      ),
    )

  const { rows, total } = await call(listSignInChanges, {})
  const told = rows.map(({ person, what, by }) => [person.uid, what, by])
  expect(told.slice(0, 3)).toEqual([
    [warden.personUid, 'deactivate', 'The operator'],
    [abroad.personUid, 'address', 'Nora Lind'],
    [warden.personUid, 'address', 'Nora Lind'],
  ])
  expect(told.slice(3).sort()).toEqual([
    [holder.personUid, 'plans_ended', 'Nora Lind'],
    [holder.personUid, 'reset_factor', 'Nora Lind'],
  ])
  expect(total).toBe(5)
  const ofSites = await (await ofSite())(listSignInChanges, {})
  expect([...new Set(ofSites.rows.map(({ person }) => person.uid))]).toEqual([warden.personUid])
  expect(ofSites.total).toBe(2)
})

test('AUTH-27 a person sees what others did to their sign-in, on the phone and in the console, and not what they did', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const warden = await server.given.warden(org)
  const colleague = await givenAdministrator(server, org, { firstName: 'Kim', lastName: 'Lee' })

  await changeEmail(call, warden.personUid, warden.email.replace('@', '.new@'))
  await changeEmail(call, colleague.personUid, 'kim@evac.test')
  const own = await asAdministrator(server, colleague)
  await changeEmail(own, colleague.personUid, 'lee@evac.test')

  const { access_token: token = '' } = await server.signIn(warden.email.replace('@', '.new@'))
  const { name } = await server.db
    .selectFrom('client')
    .select('name')
    .where('uid', '=', org.clientUid)
    .executeTakeFirstOrThrow()
  expect(await server.callWith(token)(listOwnSignInChanges, {})).toMatchObject({
    changes: [{ what: 'address', by: 'Nora Lind' }],
    contact: name,
  })
  const seen = await own(listSignInChanges, {})
  expect(seen.own.changes).toMatchObject([{ what: 'address', by: 'Nora Lind' }])
  expect(seen.total).toBe(3)
  expect((await call(listSignInChanges, {})).own.changes).toEqual([])
})

test('AUTH-27 the list shows 20 of more, ends after 14 days, and forgets who was erased', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const wardens = await Promise.all(Array.from({ length: 23 }, () => server.given.warden(org)))
  const people = wardens.map(({ personUid }) => personUid)
  await call(changePeople, { body: { people, act: 'deactivate' } }, withKey())

  const all = await call(listSignInChanges, {})
  expect([all.rows.length, all.total]).toEqual([20, 23])

  const [gone, old] = people as [PersonUid, PersonUid]
  await call(erasePerson, { params: { uid: gone } }, withKey())
  await server.db
    .updateTable('signInChange')
    .set({ at: new Date(Date.now() - 14 * 86_400_000 - 1000).toISOString() })
    .where('personUid', '=', old)
    .execute()

  expect((await call(listSignInChanges, {})).total).toBe(21)
})
