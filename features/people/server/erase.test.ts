import { expect } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import { listAudit } from '#features/organisation/calls/audit.ts'
import { asAdministrator, givenAdministrator, givenGroup } from '#server/testing/administrators.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { endInput } from '#server/testing/event-input.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { tablesWith } from '#server/testing/tables-with.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { getPerson, listPeople, reactivatePerson } from '../calls/people.ts'
import { erasePerson } from '../calls/person-data.ts'
import { givenNamed } from './erase.fixture.ts'
import { patternOf } from './erase.queries.ts'

/** An event of the organisation that has ended, too. */
async function anotherEvent(server: TestServer, org: Parameters<typeof endInput>[0]) {
  const { eventUid, manager } = await server.runningEvent(org)
  await manager(endEvent, endInput(org), withKey())
  return [eventUid]
}

const tablesWithAny = async (server: Parameters<typeof tablesWith>[0], canaries: readonly string[]) =>
  [...new Set((await Promise.all(canaries.map((text) => tablesWith(server, text)))).flat())].sort()

test('PPL-16 T21 NUM-03 no table of the database has the name, number or address of an erased person', async ({
  server,
}) => {
  const at = await givenNamed(server)
  await givenGroup(server, at.org, [at.personUid])
  await at.deactivate()
  const before = await tablesWithAny(server, at.names.canaries)

  expect(await at.erase()).toEqual({ status: 'erased' })

  // a canary that no table had proves nothing
  expect(before).toEqual(
    [
      ...[
        'account',
        'broadcast',
        'contradiction_kept',
        'document',
        'evacuee',
        'event',
        'idempotency',
        'inbound_piece',
        'inbound_text',
        'journal',
        'mail',
      ],
      ...[
        'message',
        'mobile_token',
        'password_reset',
        'peep',
        'person',
        'recent_attempt',
        'ring',
        'self_report',
        'sign_in_log',
      ],
      ...[
        'simulated_mail',
        'simulated_text',
        'sms',
        'sms_refusal',
        'throttle',
        'upload',
        'upload_change',
        'upload_part',
      ],
      ...['upload_problem', 'waiting_change', 'warden_assignment'],
    ].map((table) => `public.${table}`),
  )
  expect(await tablesWithAny(server, at.names.canaries)).toEqual([])
})

test('PPL-16 PEEP-08 the page about a plan that was opened ends, and no one is told any more', async ({ server }) => {
  const at = await givenNamed(server)
  const { clientUid } = at.org
  const events = [at.eventUid, ...(await anotherEvent(server, at.org))]
  const notices = events.map((eventUid, nth) => ({
    clientUid,
    eventUid,
    personUid: at.personUid,
    ...(nth === 0 && { tokenHash: Buffer.alloc(32, at.eventUid), toldAt: new Date(), how: 'mail' }),
    ...(nth === 0 && { expiresAt: new Date(Date.now() + 86_400_000) }),
  }))
  for (const notice of notices) await server.db.insertInto('planNotice').values(notice).execute()
  await at.deactivate()

  await at.erase()

  const left = await server.db
    .selectFrom('planNotice')
    .select(['tokenHash', 'expiresAt', 'how'])
    .where('personUid', '=', at.personUid)
    .execute()
  expect(left).toEqual(events.map(() => ({ tokenHash: null, expiresAt: null, how: 'none' })))
})

test('PPL-16 ORG-40 counts and statuses of past events stay, and the audit log says Erased person', async ({
  server,
}) => {
  const at = await givenNamed(server)
  await at.deactivate()
  const tallies = () => rowsOf(server.db, `select * from tally where event_uid = '${at.eventUid}' order by place_uid`)
  const texts = () =>
    rowsOf(server.db, `select status, count(*) from sms where client_uid = '${at.org.clientUid}' group by 1 order by 1`)
  const before = [await tallies(), await texts()]

  await at.erase()

  expect([await tallies(), await texts()]).toEqual(before)
  expect(await server.evacueeOf(at.eventUid, at.personUid)).toMatchObject({ status: 'safe', sortName: 'Erased person' })
  expect(await server.signInOf(at.eventUid, at.warden)).toMatchObject({ personUid: at.personUid, reportedIn: true })
  const { rows } = await at.call(listAudit, { query: { person: at.personUid } })
  expect(rows[0]).toMatchObject({ who: 'Nora Lind', action: 'person_erased', subject: 'Erased person', changes: [] })
})

test('PPL-16 an erased person is unknown to every list and call, and the number and address are free again', async ({
  server,
}) => {
  const at = await givenNamed(server)
  await at.deactivate()
  await at.erase()

  expect((await at.call(listPeople, { query: { state: 'all' } })).rows.map(({ uid }) => uid)).not.toContain(
    at.personUid,
  )
  const params = { uid: at.personUid }
  expect(
    await refused(at.call(getPerson, { params }), at.call(reactivatePerson, { params }, withKey()), at.erase()),
  ).toEqual(['not_found', 'not_found', 'not_found'])
  await expect(server.signIn(at.names.email)).rejects.toMatchObject({ code: 'invalid_credentials' })
  expect(await server.given.warden(at.org, { mobile: at.names.mobile, username: at.names.username })).toBeTruthy()
})

test('NUM-06 PPL-16 the one name of a person is the whole name, and goes from what others wrote', async ({
  server,
}) => {
  const at = await givenNamed(server)
  await at.run("update person set first_name = '', last_name = 'Xanthippe' where uid = $1", at.personUid)
  await at.run("update message set text = 'Xanthippe, Ann Xanthippes' where client_uid = $1", at.org.clientUid)
  await at.deactivate()

  await at.erase()

  const texts = await rowsOf(server.db, `select distinct text from message where client_uid = '${at.org.clientUid}'`)
  expect(texts).toContainEqual({ text: 'Erased person, Ann Xanthippes' })
})

test('PPL-16 what names someone else stays: the same number elsewhere, and longer names', async ({ server }) => {
  const at = await givenNamed(server)
  const elsewhere = await server.given.organisation()
  await server.given.occupant(elsewhere, { mobile: at.names.mobile })
  await at.deactivate()

  await at.erase()

  const kept = await rowsOf(server.db, `select mobile from sms_refusal where mobile = '${at.names.mobile}'`)
  expect(kept).toHaveLength(1)
  const without = async (text: string) =>
    (
      await rowsOf<{ text: string }>(
        server.db,
        `select regexp_replace('${text}', '${patternOf(['Al Li'])}', 'X', 'gi') as text`,
      )
    )[0]?.text
  expect([await without('Hal Lindt, al li. Al Li'), await without('Hal Li')]).toEqual(['Hal Lindt, X. X', 'Hal Li'])
})

test('PPL-16 who is active, or takes part in a running event, is not erased', async ({ server }) => {
  const at = await givenConsole(server)
  const uid = await server.given.occupant(at.org)
  const erase = () => at.call(erasePerson, { params: { uid } }, withKey())
  await expect(erase()).rejects.toMatchObject({ code: 'invalid_transition', message: 'Deactivate this person first.' })
  await server.runningEvent(at.org)
  await server.db.updateTable('person').set({ active: false }).where('uid', '=', uid).execute()

  await expect(erase()).rejects.toMatchObject({
    ...{
      code: 'in_event',
      message: `An event is running at ${at.org.siteName}. This can be changed when it has ended.`,
    },
  })
  expect(await at.call(getPerson, { params: { uid } })).toMatchObject({ active: false })
})

test('PPL-16 ORG-24 erasing asks for a code, and ORG-17 a site erases no administrator', async ({ server }) => {
  const at = await givenNamed(server)
  await givenAdministrator(server, at.org, {
    reach: 'site',
    siteUid: at.org.siteUid,
    person: { personUid: at.personUid, accountUid: at.accountUid, email: at.names.email },
  })
  await at.deactivate()
  const confirmedAt = new Date(Date.now() - 11 * 60_000)
  const stale = await asAdministrator(server, at.admin, { confirmedAt })
  const ofSite = await at.ofSite()

  expect(await refused(at.erase(at.personUid, stale), at.erase(at.personUid, ofSite))).toEqual([
    'confirm_identity',
    'forbidden',
  ])
})

test('PPL-16 of many who erase one person at once, one does, and the others find no one', async ({ server }) => {
  const at = await givenNamed(server)
  await at.deactivate()

  const answers = await refused(...Array.from({ length: 6 }, () => at.erase()))

  expect(answers.toSorted()).toEqual(['answered', ...Array.from({ length: 5 }, () => 'not_found')])
  expect(await tablesWithAny(server, at.names.canaries)).toEqual([])
})

test('ORG-12 ORG-13 the last administrator of the whole organisation is not erased', async ({ server }) => {
  const at = await givenConsole(server)

  await expect(at.call(erasePerson, { params: { uid: at.admin.personUid } }, withKey())).rejects.toMatchObject({
    code: 'forbidden',
    message: 'Only another administrator can do this.',
  })
})
