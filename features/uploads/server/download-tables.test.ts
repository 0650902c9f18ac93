import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resetSecondFactor } from '#features/administrators/calls/administrators.ts'
import { importOrganisation } from '#features/directory/server/import.service.ts'
import { deactivatePerson } from '#features/people/calls/people.ts'
import { signOutPerson } from '#features/people/calls/sign-in-acts.ts'
import { signOutOfConsole } from '#features/sign-in/calls/console-sign-in.ts'
import type { ClientUid, SiteUid } from '#kernel/ids.ts'
import { folderStore } from '#server/platform/documents/document-folder.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { openTestDatabase } from '#server/testing/database.ts'
import { givenFolder } from '#server/testing/given-folder.ts'
import { changesOf, rowsOf } from '#server/testing/import-test.ts'
import { refused } from '#server/testing/refused.ts'
import { startTestServer, withKey } from '#server/testing/test-server.ts'
import { unzip } from '#server/testing/unzip.ts'
import { exportTables, getTablesExport, getTableTemplates } from '../calls.ts'
import { archivesOf } from './export/archives.fixture.ts'
import { claimExport } from './export/directory-export.queries.ts'
import { dropExpiredArchives } from './export/export-work.service.ts'
import { openUploading } from './uploads.fixture.ts'

/** Each export starts a process. */
const patience = { timeout: 120_000 }
const many = { ...patience, tags: 'long' } as const

/** The small organisation, with a file, a name that is a formula, and someone who has left; and its administrator. */
async function openExporting(over = {}) {
  const data = mkdtempSync(join(tmpdir(), 'evac-export-'))
  const documents = folderStore(data)
  const server = await startTestServer({ documents })
  const folder = givenFolder({
    'documents.csv': 'code,name,url,file,site,role,person\nD1,Plan,,plan.pdf,S1,,\n',
    'plan.pdf': '%PDF-1.7',
    'groups.csv': 'code,name,active\nT2,Law Office,yes\nT1,Dental,no\n',
    'group_members.csv': 'group,person\nT2,P3\nT1,P2\nT2,P2\nT2,X1\n',
    'floors.csv': 'building,code,name,level,kind\nB1,G,Ground,0,floor\nB1,L1,Level 1,1,floor\nB1,OLD,Old,2,floor\n',
    ...over,
  })
  folder.edit('people.csv', 'P3,Cleo,Cho', 'X1,=1+1,"O\'Hara, Jr",x@small.test,,,,,staff,,no\nP3,Cleo,Cho')
  await importOrganisation({ db: server.db, folder: folder.path, documents })
  await rowsOf(server.db, "update person set active = false where code = 'P2'")
  // a retired floor whose name another has by now
  await rowsOf(server.db, "update floor set retired_at = now(), name = 'Level 1' where code = 'OLD'")
  await rowsOf(server.db, "update warden_role set active = false where code = 'FLOOR'")
  const [client] = await rowsOf<{ uid: ClientUid }>(server.db, 'select uid from client')
  const org = { clientUid: client?.uid as ClientUid }
  const { work, ask, open, troubles } = archivesOf(server, data)
  return {
    server,
    org,
    work,
    ask,
    open,
    troubles,
    dropExpired: () => dropExpiredArchives(server.db, documents),
    stored: () => readdirSync(join(data, 'documents')).filter((name) => name.startsWith('directory-')),
    async archive(over: Parameters<typeof givenAdministrator>[2] = {}) {
      const { link } = await ask(await asAdministrator(server, await givenAdministrator(server, org, over)))
      const answer = await open(link)
      return { link, files: answer.statusCode === 200 ? await unzip(answer.rawPayload) : answer.json() }
    },
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]()
      await server[Symbol.asyncDispose]()
      rmSync(data, { recursive: true })
    },
  }
}

test(
  'IMP-16 IMP-17 an export gives the same organisation in an empty installation, and the same files again',
  patience,
  async () => {
    await using at = await openExporting()
    const { files } = await at.archive({ seesPlans: true })
    await using empty = await openTestDatabase()
    using folder = givenFolder({ ...emptied, ...files })
    const data = mkdtempSync(join(tmpdir(), 'evac-export-'))

    const report = await importOrganisation({ db: empty.system.db, folder: folder.path, documents: folderStore(data) })

    expect(report.errors).toEqual([])
    expect(changesOf(await importOrganisation({ db: empty.system.db, folder: folder.path }))).toEqual({})
    expect(String(files['groups.csv'])).toBe('\ufeffcode,name,active\r\nT1,Dental,no\r\nT2,Law Office,yes\r\n')
    expect(String(files['group_members.csv'])).toBe('\ufeffgroup,person\r\nT1,P2\r\nT2,P2\r\nT2,P3\r\nT2,X1\r\n')
    expect(String(files['people.csv'])).toContain('\'=1+1,"O\'Hara, Jr"')
    expect(String(files['people.csv'])).toContain(',+61 491 000 901,')
    expect(String(files['people.csv'])).not.toContain('evacuate1')
    const { exportTables } = await import('#features/directory/server/tables/export.service.ts')
    const [client] = await rowsOf<{ uid: ClientUid }>(empty.system.db, 'select uid from client')
    const again = await exportTables(empty.system.db, client?.uid as ClientUid, everything)
    const texts = Object.fromEntries(again.files.map(({ name, lines }) => [name, [...lines()].join('')]))
    for (const [name, text] of Object.entries(texts)) expect([name, text]).toEqual([name, String(files[name])])
    expect(Object.keys(files).sort()).toEqual(
      [...Object.keys(texts), ...again.documents.map((key) => `documents/${key}`)].sort(),
    )
    const state = `select (select active from person where code = 'P2'), (select active from warden_role where code = 'FLOOR') as role,
    (select string_agg(code, ' ') from floor where retired_at is not null) as retired`
    expect(await rowsOf(empty.system.db, state)).toEqual([{ active: false, role: false, retired: 'OLD' }])
    rmSync(data, { recursive: true })
  },
)

test(
  'IMP-16 plans leave with the Plans permission alone, a part of the organisation has its own people; each export stands in the journal',
  patience,
  async () => {
    await using at = await openExporting()
    const [site] = await rowsOf<{ uid: SiteUid }>(at.server.db, 'select uid from site')

    const whole = await at.archive()
    const ofSite = await at.archive({ reach: 'site', siteUid: site?.uid as SiteUid, seesPlans: true })

    expect(Object.keys(whole.files)).not.toContain('peeps.csv')
    expect(Object.keys(ofSite.files)).toEqual(['people.csv', 'assignments.csv'])
    expect(String(whole.files['people.csv'])).toContain('X1,')
    expect(String(ofSite.files['people.csv'])).not.toContain('X1,')
    const entries = await rowsOf(
      at.server.db,
      "select after from journal where action = 'data_exported' order by position",
    )
    expect(entries).toEqual([{ after: { plans: false } }, { after: { plans: true } }])
  },
)

test(
  'IMP-16 ORG-24 a link is over after ten minutes and with the grant; a changed one opens nothing; a code is asked for',
  patience,
  async () => {
    await using at = await openExporting()
    const admin = await givenAdministrator(at.server, at.org)
    const stale = await asAdministrator(at.server, admin, { confirmedAt: new Date(Date.now() - 11 * 60_000) })
    const { uid, link, look } = await at.ask(await asAdministrator(at.server, admin))
    const status = async (url: string) => (await at.open(url)).statusCode

    const codes = [await refused(stale(exportTables, {})), await refused(stale(getTablesExport, { params: { uid } }))]
    const expires = Number(new URL(link).searchParams.get('expires')) * 1000 - Date.now()
    const changed = [await status(link.replace(/expires=\d/, 'expires=9')), await status(link.replace('/0?', '/1?'))]
    await rowsOf(
      at.server.db,
      `update administrator set sees_plans = true, reach = 'site', site_uid = (select uid from site limit 1)`,
    )
    const other = await status(link)
    await rowsOf(at.server.db, `update administrator set reach = 'organisation', site_uid = null`)
    const same = await status(link)
    const next = String((await look()).link)
    await rowsOf(at.server.db, `update administrator set revoked_at = now() where uid = '${admin.administratorUid}'`)

    expect(codes).toEqual([['confirm_identity'], ['confirm_identity']])
    expect(expires).toBeGreaterThan(9 * 60_000)
    expect(expires).toBeLessThan(10 * 60_000 + 1_000)
    expect([changed, other, same, await status(next)]).toEqual([[404, 404], 404, 200, 404])
  },
)

test(
  'SEND-03 of twenty who open a link at once one has the archive; within the hour there is another link',
  many,
  async () => {
    await using at = await openExporting()
    const { before, link, look } = await at.ask(
      await asAdministrator(at.server, await givenAdministrator(at.server, at.org)),
    )

    const answers = await Promise.all(Array.from({ length: 20 }, () => at.open(link)))
    const opened = answers.filter(({ statusCode }) => statusCode === 200)
    const others = answers.filter(({ statusCode }) => statusCode !== 200)
    const next = String((await look()).link)
    const head = await at.server.app.inject({ method: 'HEAD', url: next.replace(/^http:..[^/]*/, '') })
    const again = await at.open(next)
    const last = String((await look()).link)
    await rowsOf(at.server.db, `update directory_export set expires_at = now()`)

    expect(before).toEqual({ state: 'making', link: null, message: null })
    expect(opened).toHaveLength(1)
    expect(new Set(others.map((answer) => answer.json().message))).toEqual(new Set(['This link has been used.']))
    expect([head.statusCode, again.statusCode, (await at.open(last)).statusCode]).toEqual([404, 200, 404])
    expect(Object.keys(await unzip(again.rawPayload))).toContain('people.csv')
    expect(again.headers['content-length']).toBe(String(again.rawPayload.length))
    expect(at.stored()).toHaveLength(1)
    await at.dropExpired()
    expect(at.stored()).toEqual([])
  },
)

test(
  'SEND-03 asked for twice while it is being made, it is made once; a colleague asks for their own; a new one ends the last',
  many,
  async () => {
    await using at = await openExporting()
    const ada = await asAdministrator(at.server, await givenAdministrator(at.server, at.org))
    const ben = await asAdministrator(at.server, await givenAdministrator(at.server, at.org))

    const asked = await Promise.all(Array.from({ length: 10 }, () => ada(exportTables, {}).then(({ uid }) => uid)))
    const { uid: his } = await ben(exportTables, {})
    const strange = await refused(ada(getTablesExport, { params: { uid: his } }))
    await Promise.all([at.work(), at.work(), at.work()])
    const [first = ''] = asked
    const made = await ada(getTablesExport, { params: { uid: first } })
    const later = await at.ask(ada)

    expect(new Set(asked).size).toBe(1)
    expect(strange).toEqual(['not_found'])
    expect([made.state, (await ben(getTablesExport, { params: { uid: his } })).state]).toEqual(['ready', 'ready'])
    expect(later.uid).not.toBe(first)
    expect(await rowsOf(at.server.db, "select from journal where action = 'data_exported'")).toHaveLength(3)
    expect(await refused(ada(getTablesExport, { params: { uid: first } }))).toEqual(['not_found'])
    expect((await at.open(String(made.link))).statusCode).toBe(404)
    expect(at.troubles).toEqual([])
  },
)

test('SEND-03 one export of an organisation and two in all are made at the same time', patience, async () => {
  await using at = await openExporting()
  const organisations = [at.org, at.org, await at.server.given.organisation(), await at.server.given.organisation()]
  for (const org of organisations)
    await (await asAdministrator(at.server, await givenAdministrator(at.server, org)))(exportTables, {})

  const claims = await Promise.all(Array.from({ length: 8 }, () => claimExport(at.server.database.system.db)))

  const claimed = claims.flatMap((claim) => claim?.clientUid ?? [])
  expect(claimed).toHaveLength(2)
  expect(new Set(claimed).size).toBe(2)
})

test('SEND-03 an export whose worker is gone is made by the next, three times at most', patience, async () => {
  await using at = await openExporting()
  const call = await asAdministrator(at.server, await givenAdministrator(at.server, at.org))
  const { uid } = await call(exportTables, {})
  const state = async () => (await call(getTablesExport, { params: { uid } })).state
  const states: string[] = []
  for (let n = 0; n < 3; n++) {
    states.push((await claimExport(at.server.database.system.db)) ? 'claimed' : 'left')
    states.push((await claimExport(at.server.database.system.db)) ? 'claimed' : 'left')
    await rowsOf(at.server.db, `update directory_export set claimed_until = now()`)
  }
  states.push(await state())
  await at.work()

  expect(states).toEqual([...Array.from({ length: 3 }, () => ['claimed', 'left']).flat(), 'making'])
  expect(await state()).toBe('failed')
})

test('IMP-18 the templates have each file with a header and an example that a reader passes over', async () => {
  await using at = await openExporting()
  const call = await asAdministrator(at.server, await givenAdministrator(at.server, at.org))

  const { content } = await call(getTableTemplates, {})

  const files = await unzip(Buffer.from(content, 'base64'))
  expect(String(files['buildings.csv'])).toBe('\ufeffsite,code,name,active\r\n# QUARTER,A,Tower A,\r\n')
  expect(String(files['people.csv'])).not.toContain('password')
  await using empty = await openTestDatabase()
  using folder = givenFolder({ ...files, 'organisation.csv': 'code,name\nNEW,New Ltd\n' })
  const report = await importOrganisation({ db: empty.system.db, folder: folder.path })
  expect(report).toMatchObject({ errors: [], notes: [] })
  expect(report.files.flatMap(({ created }) => created).reduce((a, b) => a + b)).toBe(1)
})

const everything = { plans: true, people: null, assignments: null }
/** A folder of the small organisation without its files. */
const emptied = Object.fromEntries(
  ['documents.csv', 'peeps.csv', 'templates.csv', 'event_types.csv', 'floor_statuses.csv'].map((file) => [
    file,
    undefined,
  ]),
)

test('SEND-03 the link of an export opens nothing once its administrator is deactivated', many, async () => {
  await using at = await openUploading()
  const given = await givenAdministrator(at.server, at.org)
  const { link } = await at.archives.ask(await asAdministrator(at.server, given))
  await at.call(deactivatePerson, { params: { uid: given.personUid } }, withKey())

  expect((await at.archives.open(link)).statusCode).not.toBe(200)
})

test(
  "SEND-04 the link of an export ends with the session that asked for it, and with its administrator's second factor",
  many,
  async () => {
    await using at = await openUploading()
    const given = await givenAdministrator(at.server, at.org)
    const [own, other] = [await asAdministrator(at.server, given), await asAdministrator(at.server, given)]
    const { uid, link } = await at.archives.ask(own)
    const look = async () => String((await other(getTablesExport, { params: { uid } })).link)
    const statusOf = async (url: string) => (await at.archives.open(url)).statusCode
    await own(signOutOfConsole, {})

    expect(await statusOf(link)).toBe(404)
    expect(await statusOf(await look())).toBe(200)
    const ofOther = await look()
    await at.call(resetSecondFactor, { params: { uid: given.administratorUid } }, withKey())
    expect(await statusOf(ofOther)).toBe(404)

    const again = await givenAdministrator(at.server, at.org)
    const third = await at.archives.ask(await asAdministrator(at.server, again))
    await at.call(signOutPerson, { params: { uid: again.personUid }, body: { take_off_duty: false } }, withKey())
    expect(await statusOf(third.link)).toBe(404)
  },
)
