import { requireOthers } from '#features/administrators/server/administrators.service.ts'
import { holdEventsOf } from '#features/events/server/event-wardens.service.ts'
import { erasePersonLines } from '#features/log/server/erasure.service.ts'
import { endConsoleSessions } from '#features/sign-in/server/console/console-session.service.ts'
import { endInvitations } from '#features/sign-in/server/invitations/invitations.service.ts'
import { endSessions } from '#features/sign-in/server/session.service.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import * as queries from './erase.queries.ts'
import { hold, mayChangeSignIn } from './person.service.ts'
import { refuseActs } from './sign-in-acts.service.ts'

/**
 * What names an inactive person goes, in all tables; counts and statuses of past events stay. Returns the keys of
 * document files that nobody needs any more: the caller removes them after the commit.
 */
export async function erase(tx: Tx, administrator: Administrator, uid: PersonUid): Promise<string[]> {
  const { clientUid } = administrator
  const person = await hold(tx, administrator, uid)
  if (!mayChangeSignIn(administrator, person)) throw refuseActs()
  if (person.isAdministrator) await requireOthers(tx, clientUid, uid)
  if (person.active) throw new Refusal('invalid_transition', 'Deactivate this person first.')
  await requireNoEvent(tx, administrator, [uid])
  if (await queries.holdUploads(tx, clientUid))
    throw new Refusal('busy', 'Tables are being checked. Try again in a minute.')
  const erasing = await queries.findNames(tx, clientUid, uid)
  if (erasing.accountUid) {
    await endSessions(tx, [erasing.accountUid])
    await endConsoleSessions(tx, [erasing.accountUid])
  }
  await endInvitations(tx, { clientUid, personUid: uid })
  await queries.eraseMessages(tx, erasing)
  await queries.eraseAccount(tx, erasing)
  await queries.eraseUploads(tx, erasing)
  const keys = await queries.erasePerson(tx, erasing)
  await queries.eraseMentions(tx, erasing)
  await erasePersonLines(tx, erasing)
  await record(tx, journalAdministrator(administrator), {
    ...{ action: 'person_erased', subjectType: 'person', subjectUid: uid },
  })
  return queries.listUnnamed(tx, keys)
}

/** Holds the events of these people. Throws `in_event` while one of them takes part in one. */
export async function requireNoEvent(tx: Tx, { clientUid }: Administrator, people: readonly PersonUid[]) {
  for (const siteUid of await queries.listSitesOf(tx, clientUid, people)) await holdEventsOf(tx, siteUid)
  const site = await queries.findEventOf(tx, clientUid, people)
  if (site === undefined) return
  throw new Refusal('in_event', `An event is running at ${site}. This can be changed when it has ended.`)
}
