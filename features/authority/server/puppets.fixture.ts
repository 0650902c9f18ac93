import { randomUUID } from 'node:crypto'
import { appointAdministrator, revokeAdministrator } from '#features/administrators/calls/administrators.ts'
import { listAssignments, listRoles, offerRole, withdrawAssignment } from '#features/assignments/calls/wardens.ts'
import { mergePeople } from '#features/people/calls/duplicates.ts'
import { addPerson, changePerson, getPerson } from '#features/people/calls/people.ts'
import { confirmEnrolment, startEnrolment } from '#features/sign-in/calls/console-sign-in.ts'
import { acceptInvitation } from '#features/sign-in/calls/invitations.ts'
import type { AdministratorUid, FloorUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import type { CallInput } from '#kernel/route.ts'
import { currentCode } from '#server/platform/one-time-codes.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { mailsTo, sendMails } from '#server/testing/mails.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { readSignInOrigins } from '../calls.ts'

/** What whoever controls a puppet signs in with. */
export const puppetPassword = 'nine lamps on the quay'

/**
 * Nora Lind (`call`) administers the whole organisation without the Plans permission, Hol Der (`holder`) with it, and Sly Site (`site`)
 * one site. Site and whole organisation may add people, make them roles and merge them: they are puppets, or become the ones of puppets.
 */
export async function givenPuppeteers(server: TestServer) {
  const at = await givenConsole(server)
  const { org, call } = at
  const away = await server.given.site(org, { name: 'Away' })
  await server.given.warden(org)
  await server.given.warden(org, { role: 'Chief Warden' })
  const { rows: roles } = await call(listRoles, {})
  const as = async (over: Parameters<typeof givenAdministrator>[2]) =>
    asAdministrator(server, await givenAdministrator(server, org, over))
  const holder = await as({ seesPlans: true, firstName: 'Hol', lastName: 'Der' })
  const site = await as({ reach: 'site', siteUid: org.siteUid, firstName: 'Sly', lastName: 'Site' })
  type Call = typeof call

  const add = async (by: Call, first: string, over: object = {}) => {
    const email = `${first.toLowerCase()}.${randomUUID()}@evac.test`
    const body = { first_name: first, last_name: 'Lory', email, place: org.floorUid, ...over }
    const { uid } = await by(addPerson, { body }, withKey())
    return { uid, email }
  }
  const see = (uid: PersonUid) => call(getPerson, { params: { uid } })
  const change = async (by: Call, uid: PersonUid, fields: object) =>
    by(changePerson, { params: { uid }, body: { version: (await see(uid)).version, ...fields } }, withKey())
  const merge = async (
    by: Call,
    stays: PersonUid,
    goes: PersonUid,
    take: CallInput<typeof mergePeople>['body']['take'] = [],
  ) => {
    const [stays_version, goes_version] = [(await see(stays)).version, (await see(goes)).version]
    return by(mergePeople, { body: { stays, goes, stays_version, goes_version, take } }, withKey())
  }
  const offer = (by: Call, uid: PersonUid, name: string, to: { site: SiteUid; places: FloorUid[] }) => {
    const role = roles.find((one) => one.name === name)?.uid as NonNullable<(typeof roles)[number]['uid']>
    const days = { from: '2026-01-01', to: '2099-12-31', accepted: true, tell: false }
    return by(offerRole, { body: { people: [uid], role, ...to, ...days } }, withKey())
  }
  const offerFloor = (by: Call, uid: PersonUid) =>
    offer(by, uid, 'Floor Warden', { site: org.siteUid, places: [org.floorUid] })
  const offerChief = (by: Call, uid: PersonUid) => offer(by, uid, 'Chief Warden', { site: away.siteUid, places: [] })
  const withdrawAll = async (by: Call, person: PersonUid) => {
    const { rows } = await by(listAssignments, { query: { person } })
    for (const { uid } of rows)
      await by(withdrawAssignment, { params: { uid }, body: { reason: 'No more' } }, withKey())
  }
  const appoint = (by: Call, person: PersonUid, sees_plans = false) =>
    by(appointAdministrator, { body: { person, reach: 'organisation', sees_plans } }, withKey())
  const revoke = async (by: Call, personUid: PersonUid) => {
    const { uid } = await server.db
      .selectFrom('administrator')
      .select('uid')
      .where('personUid', '=', personUid)
      .where('revokedAt', 'is', null)
      .executeTakeFirstOrThrow()
    await by(revokeAdministrator, { params: { uid: uid as AdministratorUid } }, withKey())
  }
  /** Of the newest link that was mailed to the address. */
  const mailedToken = async (email: string) => {
    await sendMails(server)
    const bodies = (await mailsTo(server, email)).map(({ body }) => body).filter((body) => body.includes('token='))
    return /token=([\w-]+)/.exec(bodies.at(-1) ?? '')?.[1] as string
  }
  const accept = (token: string, password = puppetPassword) =>
    server.stranger(acceptInvitation, { body: { token, password } })
  /** Sets password and second factor by the newest mailed link. */
  const enrol = async (email: string, password = puppetPassword) => {
    const { ticket } = (await accept(await mailedToken(email), password)) as { ticket: string }
    const { secret } = await server.stranger(startEnrolment, { body: { ticket } })
    await server.stranger(confirmEnrolment, { body: { ticket, code: currentCode(ofBase32(secret), new Date()) } })
  }
  /** Pia, whom the holder added, and a puppet that has a password and a second factor from an appointment which is over. */
  const withPuppet = async () => {
    const [person, puppet] = [await add(holder, 'Pia'), await add(call, 'Dummy')]
    await appoint(call, puppet.uid)
    await enrol(puppet.email)
    await revoke(call, puppet.uid)
    return { person, puppet }
  }
  const origins = async (uid: PersonUid) => (await call(readSignInOrigins, { body: { people: [uid] } }))[0]
  const signInTo = { ...{ mailedToken, accept, enrol, origins, withPuppet }, offerFloor, offerChief, withdrawAll }
  return { ...at, holder, site, away, add, see, change, merge, appoint, revoke, ...signInTo }
}

function ofBase32(text: string): Buffer {
  const digit = (letter: string) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')
  const bits = [...text.replace(/[^A-Z2-7]/g, '')].map(digit).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
