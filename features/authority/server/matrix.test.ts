import { expect } from 'vitest'
import {
  appointAdministrator,
  resetSecondFactor,
  revokeAdministrator,
} from '#features/administrators/calls/administrators.ts'
import { mergePeople } from '#features/people/calls/duplicates.ts'
import { changePerson, deactivatePerson, getPerson, reactivatePerson } from '#features/people/calls/people.ts'
import { erasePerson } from '#features/people/calls/person-data.ts'
import { invitePerson, sendPasswordLink, showInvitation, signOutPerson } from '#features/people/calls/sign-in-acts.ts'
import type { AdministratorUid, GroupUid, PersonUid } from '#kernel/ids.ts'
import {
  asAdministrator,
  type GivenAdministrator,
  givenAdministrator,
  givenGroup,
} from '#server/testing/administrators.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { type Act, acts, cellOf, type Target, targets } from '../table.ts'
import { isSignInChange, signInChanges } from '../words.ts'

interface Actor {
  reach: 'organisation' | 'site' | 'group'
  seesPlans?: boolean
  /** The last code was given more than ten minutes ago. */
  isStale?: true
}

const actors: Record<string, Actor> = {
  'the whole organisation': { reach: 'organisation' },
  'the whole organisation, with the Plans permission': { reach: 'organisation', seesPlans: true },
  'the whole organisation, without a code': { reach: 'organisation', isStale: true },
  'a site': { reach: 'site' },
  'a site, without a code': { reach: 'site', isStale: true },
  'a group': { reach: 'group' },
  'a group, without a code': { reach: 'group', isStale: true },
}

/** Allowing plans is a part of an appointment. */
const asked = acts.filter((act) => act !== 'allow_plans')
/** Only for administrators of the whole organisation, with a code: the guard says so before anyone looks at the person. */
const guarded: readonly Act[] = ['appoint', 'revoke', 'reset_factor']
const withCode: readonly Act[] = [...guarded, 'erase']
const ofGrant: readonly Act[] = ['revoke', 'reset_factor']

/** Everything is beyond no one of the whole organisation; to a group's administrator whoever starts events is. */
const isTarget = ({ reach }: Actor, target: Target) =>
  !(target === 'beyond' && reach === 'organisation') && !(target === 'starts' && reach === 'group')

interface Given {
  personUid: PersonUid
  accountUid: string | null
  email: string | null
  administratorUid: AdministratorUid | null
}

/** What may come of it. */
function expected(actor: Actor, act: Act, target: Target): readonly string[] {
  const cell = cellOf(act, target)
  if (guarded.includes(act) && actor.reach !== 'organisation') return ['forbidden']
  if (withCode.includes(act) && actor.isStale) return ['confirm_identity']
  if (cell === '–') {
    if (target === 'beyond') return ['beyond_reach']
    if (target === 'self' || act === 'merge_goes') return ['forbidden']
    return ['invalid_transition']
  }
  if (cell.includes('w') && actor.reach !== 'organisation') return ['forbidden']
  if (cell.includes('m')) return ['forbidden']
  return [cell.includes('c') && actor.isStale ? 'confirm_identity' : 'answered']
}

async function organisation(server: TestServer, { reach, seesPlans = false, isStale }: Actor) {
  const { org, call } = await givenConsole(server)
  const away = await server.given.site(org, { name: 'Away' })
  // who watches keeps an administrator and a holder in the organisation
  await givenAdministrator(server, org, { seesPlans: true })
  const groupUid = await givenGroup(server, org)
  const { clientUid } = org
  const join = async (uid: PersonUid) => {
    await server.db.updateTable('person').set({ primaryFloorUid: org.floorUid }).where('uid', '=', uid).execute()
    await server.db.insertInto('peopleGroupMember').values({ clientUid, groupUid, personUid: uid }).execute()
  }
  const place = { reach, ...(reach === 'site' && { siteUid: org.siteUid }), ...(reach === 'group' && { groupUid }) }
  const newActor = async () => {
    const given = await givenAdministrator(server, org, { ...(place as { groupUid: GroupUid }), seesPlans })
    await join(given.personUid)
    const stale = new Date(Date.now() - 11 * 60_000)
    return { given, by: await asAdministrator(server, given, isStale ? { confirmedAt: stale } : {}) }
  }
  const plain = async () => {
    const uid = await server.given.occupant(org)
    await join(uid)
    return uid
  }
  const people: Record<Exclude<Target, 'self'>, () => Promise<Given>> = {
    none: async () => {
      const personUid = await plain()
      // who is appointed needs an address
      const email = `${personUid}@evac.test`
      await server.db.updateTable('person').set({ email }).where('uid', '=', personUid).execute()
      return { personUid, accountUid: null, email, administratorUid: null }
    },
    roles: async () => ({ ...(await server.given.warden(org)), administratorUid: null }),
    starts: async () => ({ ...(await server.given.warden(org, { role: 'Chief Warden' })), administratorUid: null }),
    beyond: async () => {
      const over = { role: 'Chief Warden', deskFloorUid: org.floorUid } as const
      return { ...(await server.given.warden(reach === 'group' ? org : away, over)), administratorUid: null }
    },
    grant: () => givenAdministrator(server, org),
    plans: () => givenAdministrator(server, org, { seesPlans: true }),
  }
  const given = async (target: Exclude<Target, 'self'>) => {
    const one = await people[target]()
    if (target !== 'none') await join(one.personUid)
    return one
  }
  return { org, call, newActor, plain, given }
}

type Organisation = Awaited<ReturnType<typeof organisation>>
type Call = Organisation['call']
let numbers = 0

/** Each act by the call of its page. */
function ask({ org, call, plain }: Organisation, by: Call, act: Act, { personUid: uid, administratorUid }: Given) {
  const version = async (of: PersonUid) => (await call(getPerson, { params: { uid: of } })).version
  const of = { params: { uid } }
  const grant = { params: { uid: administratorUid as AdministratorUid } }
  const merge = async (stays: PersonUid, goes: PersonUid) => {
    const versions = { stays_version: await version(stays), goes_version: await version(goes) }
    return by(mergePeople, { body: { stays, goes, ...versions, take: [] } }, withKey())
  }
  const calls: Record<Exclude<Act, 'allow_plans'>, () => Promise<unknown>> = {
    address: async () => {
      const mobile = `+614915${String(70_000 + ++numbers).padStart(5, '0')}`
      return by(changePerson, { ...of, body: { version: await version(uid), mobile } }, withKey())
    },
    password_link: () => by(sendPasswordLink, of, withKey()),
    invite: () => by(invitePerson, of, withKey()),
    show_invitation: () => by(showInvitation, of, withKey()),
    reset_factor: () => by(resetSecondFactor, grant, withKey()),
    merge_stays: async () => merge(uid, await plain()),
    merge_goes: async () => merge(await plain(), uid),
    deactivate: () => by(deactivatePerson, of, withKey()),
    reactivate: () => by(reactivatePerson, of, withKey()),
    erase: () => by(erasePerson, of, withKey()),
    sign_out: () => by(signOutPerson, { ...of, body: { take_off_duty: false } }, withKey()),
    appoint: () => {
      const body = { person: uid, reach: 'site', site: org.siteUid, sees_plans: false } as const
      return by(appointAdministrator, { body }, withKey())
    },
    revoke: () => by(revokeAdministrator, grant, withKey()),
  }
  return calls[act as keyof typeof calls]()
}

/** The state that the act needs. */
async function prepare({ db }: TestServer, act: Act, { personUid, accountUid }: Given, target: Target) {
  if ((act === 'reactivate' || act === 'erase') && target !== 'self')
    await db.updateTable('person').set({ active: false }).where('uid', '=', personUid).execute()
  if (act === 'show_invitation' && accountUid && target !== 'self')
    await db.updateTable('account').set({ passwordHash: null }).where('uid', '=', accountUid).execute()
}

/** All that stands of a sign-in and what it can do. */
async function standing({ db }: TestServer, { personUid, accountUid }: Given) {
  const person = ['email', 'mobile', 'accountUid', 'active', 'mergedIntoUid'] as const
  const account = db
    .selectFrom('account')
    .selectAll()
    .where('uid', '=', accountUid ?? personUid)
  const factor = db
    .selectFrom('secondFactor')
    .selectAll()
    .where('accountUid', '=', accountUid ?? personUid)
  return [
    await db.selectFrom('person').select(person).where('uid', '=', personUid).execute(),
    await account.execute(),
    await factor.execute(),
    await db.selectFrom('administrator').selectAll().where('personUid', '=', personUid).execute(),
    await db.selectFrom('invitation').selectAll().where('personUid', '=', personUid).execute(),
    await db
      .selectFrom('passwordReset')
      .selectAll()
      .where('accountUid', '=', accountUid ?? personUid)
      .execute(),
  ]
}

const subjectsTo = async ({ db }: TestServer, email: string) =>
  (await db.selectFrom('mail').select('subject').where('toEmail', '=', email).execute()).map(({ subject }) => subject)

let cases = 0

for (const [name, actor] of Object.entries(actors))
  test(`AUTH-20 AUTH-22 AUTH-23 AUTH-31 each act on each target, by an administrator of ${name}, as the table says`, {
    timeout: 300_000,
  }, async ({ server }) => {
    const at = await organisation(server, actor)
    const { given: own, by } = await at.newActor()
    for (const target of targets.filter((one) => isTarget(actor, one)))
      for (const act of asked) {
        if (ofGrant.includes(act) && !['grant', 'plans', 'self'].includes(target)) continue
        cases++
        const self = target === 'self' ? await at.newActor() : undefined
        const person: Given = target === 'self' ? (self?.given as GivenAdministrator) : await at.given(target)
        await prepare(server, act, person, target)
        const before = await standing(server, person)
        const [answer] = await refused(ask(at, self?.by ?? by, act, person))

        expect([act, target, answer]).toEqual([act, target, expect.toBeOneOf([...expected(actor, act, target)])])
        if (answer !== 'answered') expect([act, target, await standing(server, person)]).toEqual([act, target, before])
        if (answer === 'answered' && cellOf(act, target).includes('t') && isSignInChange(act) && person.email) {
          const { first_name, last_name } = await at.call(getPerson, {
            params: { uid: (self?.given ?? own).personUid },
          })
          expect([act, target, await subjectsTo(server, person.email)]).toEqual([
            ...[act, target],
            expect.arrayContaining([signInChanges[act].told(`${first_name} ${last_name}`)]),
          ])
        }
      }
  })

test('AUTH-20 the matrix has at least 400 cases', () => {
  expect(cases).toBeGreaterThanOrEqual(400)
})
