import { expect } from 'vitest'
import { endEvent } from '#features/events/calls/events.ts'
import { checkAllLogs } from '#features/log/server/checking/check-logs.service.ts'
import { signHead } from '#features/log/server/heads.service.ts'
import { compareRows, listMissingEntries } from '#features/log/server/shown-rows.queries.ts'
import { openSigner } from '#features/log/server/signed-note.ts'
import { readLoggedAdditions } from '#features/records/server/additions.service.ts'
import { login } from '#features/sign-in/calls/sign-in.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { openTestDatabase } from '#server/testing/database.ts'
import { endInput } from '#server/testing/event-input.ts'
import {
  bundleNow,
  endedDrill,
  inItself,
  runningDrill,
  sealWhole,
  signingOf,
  sizeOf,
  writeEntry,
} from '#server/testing/event-log.ts'
import { testPassword } from '#server/testing/given-wardens.ts'
import { startTestServer, testConfig } from '#server/testing/test-server.ts'
import { continueLogs } from './continue-logs.service.ts'
import { exported, imported, otherKey, storeOf, test } from './whole.fixture.ts'

/** The other installation, which serves at another address with a key of its own. */
async function openOther(folder: string, target: Parameters<typeof startTestServer>[1]) {
  const secrets = deriveSecrets(otherKey)
  const config = { ...testConfig, appUrl: 'https://new.evac.test' }
  const documents = storeOf(folder, 'new')
  const server = await startTestServer({ secrets, config, documents }, target)
  const signer = openSigner(secrets.recordLog, config.appUrl)
  return { ...server, config, signing: { system: server.db, signer, documents } }
}

test('CELL-03 a log goes on where it came, says from where, and continues heads of before', async ({
  server,
  folder,
}) => {
  const target = await openTestDatabase()
  const drill = await endedDrill(server, 300)
  const { of } = drill
  const size = await sealWhole(server, of)
  const head = await signHead(signingOf(server), of)
  const { path } = await exported(server, folder, of.clientUid)
  await imported(target, folder, { path })
  await using other = await openOther(folder, target)

  expect(await continueLogs(other.signing, of.clientUid)).toBe(1)

  expect(await sizeOf(other, of)).toBe(size + 1)
  expect(await continueLogs(other.signing, of.clientUid)).toBe(1)
  expect(await sizeOf(other, of)).toBe(size + 1)
  using bundle = await bundleNow(other, of)
  const { code, lines } = await bundle.check('--head', `${head?.size} ${head?.root.toString('base64')}`)
  expect([code, lines]).toEqual([
    0,
    expect.arrayContaining([
      'INTACT',
      `The first ${size} entries are those of the head you gave.`,
      expect.stringMatching(
        new RegExp(`^This log moved here from old\\.evac\\.test on .* and continues with entry ${size + 1}\\.$`),
      ),
    ]),
  ])
  expect(lines.find((line) => line.startsWith('Signed by'))).toMatch('new.evac.test')
  const told: string[] = []
  const checked = await checkAllLogs(other.db, readLoggedAdditions, (line) => told.push(line))
  expect([checked, told]).toEqual([{ logs: 1, broken: 0 }, []])

  // what is written here stands behind it, and each row is found by its line
  await writeEntry(other.db, of, 'record_exported', {})
  expect(await sealWhole(other, of)).toBe(size + 2)
  using later = await bundleNow(other, of)
  expect((await later.check()).lines[0]).toBe(inItself)
  expect(later.read('journal.ndjson')).not.toContain('"withheld"')
  const keys = await other.db
    .selectFrom('journal')
    .select(({ cast, ref }) => [
      cast<string>(ref('xid'), 'text').as('xid'),
      cast<string>(ref('position'), 'text').as('position'),
    ])
    .where('eventUid', '=', of.eventUid)
    .execute()
  // entries that came, and those of here, on pages of their own
  const pages = Object.values(Object.groupBy(keys, ({ xid }) => (Number(xid) < 500 ? 'came' : 'here')))
  const shown = (await Promise.all(pages.map((page) => compareRows(other.db, of, page)))).flatMap((rows) => [
    ...rows.values(),
  ])
  expect(pages).toHaveLength(2)
  expect(shown).toHaveLength(size + 2)
  expect(shown.filter(({ n, isAsLogged }) => n === null || !isAsLogged)).toEqual([])
  expect(await listMissingEntries(other.db, of, 1, size + 2)).toEqual([])
  // the next log of the organisation names this one
  const next = await other.runningEvent(drill.org)
  await other.db.updateTable('event').set({ endedAt: new Date() }).where('uid', '=', next.eventUid).execute()
  await sealWhole(other, { ...of, eventUid: next.eventUid })
  const opened = (await other.journalOf(next.eventUid)).find(({ action }) => action === 'log_opened')
  expect(opened?.after).toMatchObject({ serial: 2, previous: { serial: 1, event: of.eventUid } })
})

test('CELL-03 entries that were not sealed yet are sealed where they came, each once', async ({ server, folder }) => {
  const target = await openTestDatabase()
  const drill = await runningDrill(server)
  const { of } = drill
  await drill.manager(endEvent, endInput(drill.org))
  const { path } = await exported(server, folder, of.clientUid)
  await imported(target, folder, { path })
  await using other = await openOther(folder, target)

  await continueLogs(other.signing, of.clientUid)
  await sealWhole(other, of)

  using bundle = await bundleNow(other, of)
  const { lines } = await bundle.check()
  expect(lines[0]).toBe(inItself)
  expect(bundle.read('journal.ndjson')).toContain('"action":"event_ended"')
  const { entries } = await other.db
    .selectFrom('journal')
    .select(({ fn }) => fn.countAll<number>().as('entries'))
    .where('eventUid', '=', of.eventUid)
    .executeTakeFirstOrThrow()
  expect(await sizeOf(other, of)).toBe(entries)
})

test('CELL-03 people sign in at the new address with the password of before', async ({ server, folder }) => {
  const target = await openTestDatabase()
  const org = await server.given.organisation()
  const warden = await server.given.warden(org)
  const { path } = await exported(server, folder, org.clientUid)
  await imported(target, folder, { path })
  await using other = await openOther(folder, target)

  const signedIn = await other.stranger(login, { body: { email: warden.email, password: testPassword } })

  expect(signedIn).toMatchObject({ access_token: expect.any(String), Person_UID: warden.personUid })
})
