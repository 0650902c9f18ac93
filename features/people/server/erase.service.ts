import { requireOthers } from '#features/administrators/server/administrators.service.ts'
import { asAdministrator } from '#features/authority/server/decide.ts'
import { inAct } from '#features/authority/server/in-act.service.ts'
import { tellingOf } from '#features/authority/server/told.service.ts'
import { voidInvitations } from '#features/authority/server/writes/invitations.queries.ts'
import { lockSite } from '#features/events/server/event.queries.ts'
import { erasingPerson } from '#features/log/server/erasing/erasure.service.ts'
import { listNamesThen } from '#features/log/server/people/people-named.service.ts'
import { revokeConsoleSessions } from '#features/sign-in/server/console/console-session.queries.ts'
import { endSessions } from '#features/sign-in/server/session.service.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import * as queries from './erase.queries.ts'
import type { PersonRecord } from './person.queries.ts'
import { type Changing, hold } from './person.service.ts'

/**
 * What names an inactive person goes, in all tables; counts and statuses of past events stay. Returns the keys of
 * document files that no one needs any more: the caller removes them after the commit.
 */
export async function erase(app: Changing, tx: Tx, administrator: Administrator, uid: PersonUid): Promise<string[]> {
  const person = await hold(tx, administrator, uid)
  return inAct(tellingOf(app), tx, asAdministrator(administrator), { act: 'erase', people: [uid] }, () =>
    eraseInAct(tx, administrator, person),
  )
}

async function eraseInAct(tx: Tx, administrator: Administrator, person: PersonRecord): Promise<string[]> {
  const { clientUid } = administrator
  const { uid } = person
  if (person.isAdministrator) await requireOthers(tx, clientUid, uid)
  if (person.active) throw new Refusal('invalid_transition', 'Deactivate this person first.')
  await requireNoEvent(tx, administrator, [uid])
  if (await queries.holdUploads(tx, clientUid))
    throw new Refusal('busy', 'Tables are being checked. Try again in a minute.')
  const erasing = await queries.findNames(tx, clientUid, uid, await listNamesThen(tx, clientUid, uid))
  if (erasing.accountUid) {
    await endSessions(tx, [erasing.accountUid])
    await revokeConsoleSessions(tx, [erasing.accountUid])
  }
  await voidInvitations(tx, { clientUid, personUid: uid })
  await queries.eraseMessages(tx, erasing)
  await queries.eraseAccount(tx, erasing)
  await queries.eraseUploads(tx, erasing)
  const keys = await queries.erasePerson(tx, erasing)
  await erasingPerson(tx, { ...erasing, by: queries.erased.whole }, () => queries.eraseMentions(tx, erasing))
  await record(tx, journalAdministrator(administrator), {
    action: 'person_erased',
    subjectType: 'person',
    subjectUid: uid,
  })
  return queries.listUnnamed(tx, keys)
}

/** Holds the events of these people. Throws `in_event` while one of them takes part in one. */
export async function requireNoEvent(tx: Tx, { clientUid }: Administrator, people: readonly PersonUid[]) {
  for (const siteUid of await queries.listSitesOf(tx, clientUid, people)) await lockSite(tx, siteUid)
  const site = await queries.findEventOf(tx, clientUid, people)
  if (site === undefined) return
  throw new Refusal('in_event', `An event is running at ${site}. This can be changed when it has ended.`)
}
