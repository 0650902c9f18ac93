import { expect } from 'vitest'
import {
  appointAdministrator,
  resetSecondFactor,
  revokeAdministrator,
} from '#features/administrators/calls/administrators.ts'
import { doWaitingNow, dropWaiting } from '#features/assignments/calls/waiting.ts'
import { mergePeople } from '#features/people/calls/duplicates.ts'
import { addPerson, changePerson, deactivatePerson, getPerson } from '#features/people/calls/people.ts'
import { changePeople } from '#features/people/calls/people-bulk.ts'
import { erasePerson } from '#features/people/calls/person-data.ts'
import { invitePerson, sendPasswordLink, showInvitation } from '#features/people/calls/sign-in-acts.ts'
import type { ClientUid, PersonUid, SiteUid, WaitingUid } from '#kernel/ids.ts'
import { asAdministrator, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { asOperator } from './decide.ts'
import { inAct } from './in-act.service.ts'
import { tellingOf } from './told.service.ts'

/** Mails that are queued for an address, the oldest first. */
const queuedTo = ({ db }: TestServer, toEmail: string) =>
  db.selectFrom('mail').select(['subject', 'body']).where('toEmail', '=', toEmail).orderBy('createdAt').execute()

const signInRows = ({ db }: TestServer, accountUid: string) =>
  db.selectFrom('account').selectAll().where('uid', '=', accountUid).executeTakeFirstOrThrow()

test('AUTH-25 merging moves no part of a sign-in into an administrator', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const target = await givenAdministrator(server, org)
  const own = await server.given.warden(org)
  const see = (uid: PersonUid) => call(getPerson, { params: { uid } })
  const before = await signInRows(server, target.accountUid)
  const [stays, goes] = [await see(target.personUid), await see(own.personUid)]
  const body = {
    stays: target.personUid,
    goes: own.personUid,
    stays_version: stays.version,
    goes_version: goes.version,
    take: ['sign_in', 'email', 'mobile'] as ('sign_in' | 'email' | 'mobile')[],
  }

  expect(await call(mergePeople, { body }, withKey())).toEqual({ status: 'merged' })

  expect(await signInRows(server, target.accountUid)).toEqual(before)
  expect(await see(target.personUid)).toMatchObject({ email: target.email, sign_in: { second_factor: true } })
  await expect(server.signIn(own.email)).rejects.toMatchObject({ code: 'invalid_credentials' })
})

test('AUTH-25 who has a grant does not go: it is revoked first', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const target = await givenAdministrator(server, org, { firstName: 'Kim', lastName: 'Lee' })
  const plain = await server.given.occupant(org)
  const version = async (uid: PersonUid) => (await call(getPerson, { params: { uid } })).version
  const body = {
    stays: plain,
    goes: target.personUid,
    take: [],
    stays_version: await version(plain),
    goes_version: await version(target.personUid),
  }

  await expect(call(mergePeople, { body }, withKey())).rejects.toMatchObject({
    code: 'forbidden',
    message: "Revoke Kim Lee's administrator access first.",
  })
})

test('AUTH-22 AUTH-31 an administrator of a part changes no sign-in of a person with a role beyond, by any act', async ({
  server,
}) => {
  const { org, call, ofSite } = await givenConsole(server)
  const away = await server.given.site(org, { name: 'Away' })
  const chief = await server.given.warden(away, {
    role: 'Chief Warden',
    firstName: 'Kim',
    deskFloorUid: org.floorUid,
  })
  const member = await server.given.warden(org, { role: 'Chief Warden', firstName: 'Ada' })
  const plain = await server.given.occupant(org)
  const groupUid = await givenGroup(server, org, [member.personUid, plain])
  const ofGroup = await asAdministrator(server, await givenAdministrator(server, org, { reach: 'group', groupUid }))
  const see = (uid: PersonUid) => call(getPerson, { params: { uid } })

  for (const [by, target] of [
    [await ofSite(), chief],
    [ofGroup, member],
  ] as const) {
    const uid = target.personUid
    const before = await signInRows(server, target.accountUid)
    const { version } = await see(uid)
    const change = (fields: object) => by(changePerson, { params: { uid }, body: { version, ...fields } }, withKey())
    const other = await see(plain)
    const both = { stays_version: version, goes_version: other.version }
    expect(
      await refused(
        ...[change({ mobile: '+61491570156' }), change({ email: 'mine@evac.test' }), change({ username: 'mine' })],
        by(deactivatePerson, { params: { uid } }, withKey()),
        by(mergePeople, { body: { stays: uid, goes: plain, ...both, take: ['mobile'] } }, withKey()),
        by(mergePeople, {
          body: { stays: plain, goes: uid, stays_version: other.version, goes_version: version, take: [] },
        }),
        by(invitePerson, { params: { uid } }, withKey()),
        by(showInvitation, { params: { uid } }, withKey()),
        by(sendPasswordLink, { params: { uid } }, withKey()),
        by(erasePerson, { params: { uid } }, withKey()),
      ),
    ).toEqual(Array.from({ length: 10 }, () => 'beyond_reach'))
    const bulk = await by(changePeople, { body: { people: [uid], act: 'deactivate' } }, withKey())
    const name = `${(await see(uid)).first_name} ${(await see(uid)).last_name}`
    expect(bulk.left).toEqual([
      {
        person: uid,
        name,
        reason: `${name} also has a role outside your reach. Ask an administrator of the whole organisation.`,
      },
    ])
    expect(await signInRows(server, target.accountUid)).toEqual(before)
    expect((await see(uid)).active).toBe(true)
    expect((await by(getPerson, { params: { uid } })).authority.address.refusal).toMatch(/outside your reach/)
    // names are no part of a sign-in
    await change({ last_name: 'Other' })
  }
})

test('AUTH-26 AUTH-27 a new address of a holder ends the permission to see plans, and the old address is told', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const holder = await givenAdministrator(server, org, { seesPlans: true, firstName: 'Kim', lastName: 'Lee' })
  const second = await givenAdministrator(server, org, { seesPlans: true })
  const { version } = await call(getPerson, { params: { uid: holder.personUid } })

  await call(changePerson, { params: { uid: holder.personUid }, body: { version, email: 'mine@evac.test' } }, withKey())

  const grants = await server.db
    .selectFrom('administrator')
    .select(['seesPlans'])
    .where('personUid', '=', holder.personUid)
    .where('revokedAt', 'is', null)
    .execute()
  expect(grants).toEqual([{ seesPlans: false }])
  const subjects = async (to: string) => (await queuedTo(server, to)).map(({ subject }) => subject).sort()
  expect(await subjects(holder.email)).toEqual([
    'Your permission to see plans has ended',
    'Your sign-in address was changed',
  ])
  expect(await subjects(second.email)).toEqual(["Kim Lee's permission to see plans has ended"])
  // the address of the last 30 days is told of what follows, too
  await call(resetSecondFactor, { params: { uid: await grantOf(server, holder.personUid) } }, withKey())
  expect(await subjects(holder.email)).toContain('Your second factor was reset')
  expect((await queuedTo(server, holder.email)).at(-1)?.body).toMatch(
    /^Nora Lind did this at .*\. If you did not expect it, call .*\./,
  )
})

const grantOf = async ({ db }: TestServer, personUid: PersonUid) =>
  (
    await db
      .selectFrom('administrator')
      .select('uid')
      .where('personUid', '=', personUid)
      .where('revokedAt', 'is', null)
      .executeTakeFirstOrThrow()
  ).uid

test('AUTH-23 a code is asked by target: of a chief, not of a floor warden or someone without a role', async ({
  server,
}) => {
  const { org, admin, call } = await givenConsole(server)
  const stale = await asAdministrator(server, admin, { confirmedAt: new Date(Date.now() - 11 * 60_000) })
  const chief = await server.given.warden(org, { role: 'Chief Warden' })
  const warden = await server.given.warden(org)
  const plain = await server.given.occupant(org)
  const change = async (by: typeof call, uid: PersonUid, mobile: string) => {
    const { version } = await call(getPerson, { params: { uid } })
    return by(changePerson, { params: { uid }, body: { version, mobile } }, withKey())
  }

  expect(
    await refused(
      change(stale, chief.personUid, '+61491570156'),
      change(stale, warden.personUid, '+61491570157'),
      change(stale, plain, '+61491570158'),
    ),
  ).toEqual(['confirm_identity', 'answered', 'answered'])
  expect(await refused(change(call, chief.personUid, '+61491570156'))).toEqual(['answered'])
  await call(addPerson, { body: { first_name: 'New', last_name: 'Person' } }, withKey())
})

test('AUTH-26 a holder may give the permission again with the new address, and someone else may not', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const by = await asAdministrator(server, await givenAdministrator(server, org, { seesPlans: true }))
  const [kept, lost] = [
    await givenAdministrator(server, org, { seesPlans: true }),
    await givenAdministrator(server, org, { seesPlans: true }),
  ]
  const sees = async ({ personUid }: { personUid: PersonUid }) =>
    (
      await server.db
        .selectFrom('administrator')
        .select('seesPlans')
        .where('personUid', '=', personUid)
        .where('revokedAt', 'is', null)
        .executeTakeFirstOrThrow()
    ).seesPlans
  const move = async (one: { personUid: PersonUid }, caller: typeof call, email: string) => {
    const { version } = await call(getPerson, { params: { uid: one.personUid } })
    const body = { version, email, keep_plans_permission: true }
    await caller(changePerson, { params: { uid: one.personUid }, body }, withKey())
  }

  await move(kept, by, 'kept@evac.test')
  await move(lost, call, 'lost@evac.test')

  expect([await sees(kept), await sees(lost)]).toEqual([true, false])
})

test('AUTH-27 AUTH-26 another reach without the Plans permission tells its holder and the other holders', async ({
  server,
}) => {
  const { org, call } = await givenConsole(server)
  const holder = await givenAdministrator(server, org, { seesPlans: true, firstName: 'Kim', lastName: 'Lee' })
  const other = await givenAdministrator(server, org, { seesPlans: true })

  const body = { person: holder.personUid, reach: 'organisation', sees_plans: false } as const
  await call(appointAdministrator, { body }, withKey())

  const subjects = async ({ email }: { email: string }) =>
    (await queuedTo(server, email)).map(({ subject }) => subject).filter((subject) => subject.includes('see plans'))
  expect(await subjects(holder)).toEqual(['Your permission to see plans has ended'])
  expect(await subjects(other)).toEqual(["Kim Lee's permission to see plans has ended"])
})

test('AUTH-32 the last administrator of the whole organisation loses neither factor, grant nor account', async ({
  server,
}) => {
  const { org, admin, call } = await givenConsole(server)
  const second = await givenAdministrator(server, org)
  const by = await asAdministrator(server, second)
  await server.db.updateTable('account').set({ passwordHash: null }).where('uid', '=', admin.accountUid).execute()
  const uid = second.personUid
  const { version } = await by(getPerson, { params: { uid } })

  expect(
    await refused(
      by(revokeAdministrator, { params: { uid: second.administratorUid } }, withKey()),
      by(changePerson, { params: { uid }, body: { version, email: '' } }),
    ),
  ).toEqual(['last_administrator', 'last_administrator'])
  expect(await refused(call(getPerson, { params: { uid } }))).toEqual(['not_signed_in'])
})

test('AUTH-20 many who change one chief at once: one does, and the code is asked of each', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const chief = await server.given.warden(org, { role: 'Chief Warden' })
  const { version } = await call(getPerson, { params: { uid: chief.personUid } })

  const answers = await refused(
    ...Array.from({ length: 8 }, (_, n) =>
      call(changePerson, { params: { uid: chief.personUid }, body: { version, mobile: `+6149157020${n}` } }, withKey()),
    ),
  )

  expect(answers.filter((answer) => answer === 'answered')).toHaveLength(1)
  expect(new Set(answers)).toEqual(new Set(['answered', 'changed_since']))
  expect(await queuedTo(server, chief.email)).toHaveLength(1)
})

test('AUTH-28 the operator may do all, and people are told', async ({ server }) => {
  const { org } = await givenConsole(server)
  const warden = await server.given.warden(org)
  const actor = asOperator(org.clientUid)
  const telling = tellingOf({ ...server.app, now: new Date() })

  await server.db
    .transaction()
    .execute((tx) =>
      inAct(telling, tx, actor, { act: 'deactivate', people: [warden.personUid] }, async () => undefined),
    )

  expect(await queuedTo(server, warden.email)).toMatchObject([
    { subject: 'You can no longer sign in', body: expect.stringMatching(/^The operator did this at /) },
  ])
})

test('AUTH-31 a chief whose last day has ended is beyond another site until the duty ends', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const away = await server.given.site(org, { name: 'Away' })
  const { chief } = await server.runningEvent(org)
  const uid = chief.personUid
  const ofAway = await asAdministrator(
    server,
    await givenAdministrator(server, org, { reach: 'site', siteUid: away.siteUid }),
  )
  await server.db.updateTable('person').set({ primaryFloorUid: away.floorUid }).where('uid', '=', uid).execute()
  await server.db
    .updateTable('wardenAssignment')
    .set({ dateTo: '2021-01-01' })
    .where('uid', '=', chief.assignmentUid)
    .execute()
  const { version } = await call(getPerson, { params: { uid } })

  const change = ofAway(changePerson, { params: { uid }, body: { version, mobile: '+61491570158' } }, withKey())

  expect(await refused(change)).toEqual(['beyond_reach'])
})

test('AUTH-26 who may not see plans does not widen what a holder of the permission sees', async ({ server }) => {
  const { org, call } = await givenConsole(server)
  const { personUid: person } = await givenAdministrator(server, org, {
    reach: 'site',
    siteUid: org.siteUid,
    seesPlans: true,
  })
  const appoint = (reach: { reach: 'organisation' } | { reach: 'site'; site: SiteUid }) =>
    refused(call(appointAdministrator, { body: { person, ...reach, sees_plans: true } }, withKey()))

  expect(await appoint({ reach: 'organisation' })).toEqual(['forbidden'])
  expect(await appoint({ reach: 'site', site: org.siteUid })).toEqual(['answered'])
})

test('AUTH-24 AUTH-22 a waiting deactivation is done or dropped by no one who may not deactivate the person', async ({
  server,
}) => {
  const { org, call, ofSite } = await givenConsole(server)
  const away = await server.given.site(org, { name: 'Away' })
  const chief = await server.given.warden(away, { role: 'Chief Warden', deskFloorUid: org.floorUid })
  const stranger = await server.given.warden(away)
  const site = await ofSite()
  const wait = async ({ clientUid, personUid }: { clientUid: ClientUid; personUid: PersonUid }) => {
    const wish = { clientUid, personUid, kind: 'deactivation', wanted: JSON.stringify({ reason: null }) }
    const { uid } = await server.db.insertInto('waitingChange').values(wish).returning('uid').executeTakeFirstOrThrow()
    return { params: { uid: uid as WaitingUid } }
  }
  const [ofChief, ofStranger] = [await wait(chief), await wait(stranger)]

  expect(
    await refused(
      site(doWaitingNow, ofChief, withKey()),
      site(doWaitingNow, ofStranger, withKey()),
      site(dropWaiting, ofStranger, withKey()),
    ),
  ).toEqual(['forbidden', 'forbidden', 'forbidden'])
  expect((await call(getPerson, { params: { uid: chief.personUid } })).active).toBe(true)
  await call(doWaitingNow, ofChief, withKey())
  expect((await call(getPerson, { params: { uid: chief.personUid } })).active).toBe(false)
})
