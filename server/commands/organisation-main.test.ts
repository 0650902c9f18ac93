import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { listRescues } from '#features/administrators/server/owed-links.service.ts'
import { getMe, signInToConsole } from '#features/sign-in/calls/console-sign-in.ts'
import { acceptInvitation } from '#features/sign-in/calls/invitations.ts'
import { asAdministrator, givenAdministrator, givenSecondFactor } from '../testing/administrators.ts'
import { openTestDatabase } from '../testing/database.ts'
import { testPassword } from '../testing/given-wardens.ts'
import { refused } from '../testing/refused.ts'
import { runCommand } from '../testing/run-command.ts'
import { test } from '../testing/server-test.ts'
import { secretKey, type TestServer } from '../testing/test-server.ts'

process.env.SECRET_KEY = secretKey
/** Each run starts a process of its own. */
const patience = { timeout: 120_000 }
const run = ({ database }: TestServer, ...words: string[]) =>
  runCommand('commands/organisation-main.ts', database, ...words)

const codeOf = async ({ db }: TestServer, clientUid: string) =>
  (
    await db
      .selectFrom('client')
      .select('code')
      .where('uid', '=', clientUid as never)
      .executeTakeFirstOrThrow()
  ).code

const password = 'nine lamps on the quay'
const accept = (server: TestServer, said: string, given = password) => {
  const token = /#token=([\w-]{43})/.exec(said)?.[1] as string
  return server.stranger(acceptInvitation, { body: { token, password: given } })
}

test(
  'ORG-06 create makes an organisation and prints the link for its first administrator',
  patience,
  async ({ server }) => {
    const words = [
      'create',
      'SCHOOL',
      '--name',
      'Harbour School',
      '--email',
      'nora@school.test',
      '--first-name',
      'Nora',
      '--last-name',
      'Lind',
    ]

    const made = await run(server, ...words)
    const again = await run(server, ...words)

    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/works once, for 7 days:\nhttp:\S+\/console\/invitation#token=/),
    })
    expect(await accept(server, made.stdout)).toMatchObject({ step: 'enrol' })
    expect(again).toMatchObject({ code: 1, stderr: 'This code is already in use.\n' })
  },
)

test('ORG-06 ORG-07 invite-administrator is the way in for an organisation of today', patience, async ({ server }) => {
  const org = await server.given.organisation()
  const code = await codeOf(server, org.clientUid)
  const warden = await server.given.warden(org)
  await givenSecondFactor(server, warden.accountUid)
  const line = `${code} has no administrator: npm run organisation -- invite-administrator ${code} EMAIL`
  expect(await listRescues(server.db, server.config)).toContain(line)

  const known = await run(server, 'invite-administrator', code, warden.email)
  const [unknown, added] = await Promise.all([
    run(server, 'invite-administrator', code, 'other@school.test'),
    run(server, 'invite-administrator', code, 'new@school.test', '--first-name', 'New', '--last-name', 'Hand'),
  ])

  expect(known).toMatchObject({ code: 0, stdout: expect.stringContaining('signs in with their password') })
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('add --first-name, --last-name or both') })
  expect(await accept(server, added.stdout)).toMatchObject({ step: 'enrol' })
  expect(await listRescues(server.db, server.config)).not.toContain(line)
  // the first got the mark that no one had, the second is given it by the first
  const grants = await server.db
    .selectFrom('administrator')
    .select(['reach', 'seesPlans'])
    .where('clientUid', '=', org.clientUid)
    .orderBy('grantedAt')
    .execute()
  expect(grants).toEqual([
    { reach: 'organisation', seesPlans: true },
    { reach: 'organisation', seesPlans: false },
  ])
})

test(
  'ORG-06 ORG-25 reset-second-factor helps the last administrator, whose sessions end',
  patience,
  async ({ server }) => {
    const org = await server.given.organisation()
    const admin = await givenAdministrator(server, org)
    const call = await asAdministrator(server, admin)

    const { code, stdout } = await run(server, 'reset-second-factor', await codeOf(server, org.clientUid), admin.email)

    expect([code, stdout]).toEqual([0, expect.stringContaining('sets up a new second factor')])
    expect(await refused(call(getMe, {}))).toEqual(['not_signed_in'])
    const body = { name: admin.email, password: testPassword }
    expect(await refused(server.stranger(signInToConsole, { body }))).toEqual(['use_link'])
    expect(await accept(server, stdout, testPassword)).toMatchObject({ step: 'enrol' })
  },
)

test('CELL-03 export and import-whole take an organisation to another installation', patience, async ({ server }) => {
  const org = await server.given.organisation()
  await givenAdministrator(server, org)
  const code = await codeOf(server, org.clientUid)
  const folder = mkdtempSync(join(tmpdir(), 'evac-organisation-'))
  const [file, secret, weak] = ['whole.evac', 'secret', 'weak'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(secret, 'eleven boats in the harbour\n')
  writeFileSync(weak, 'short\n')
  await using database = await openTestDatabase()
  const there = (...words: string[]) => runCommand('commands/organisation-main.ts', database, ...words)

  const refusedWeak = await run(server, 'export', code, file, '--passphrase-file', weak)
  const out = await run(server, 'export', code, file, '--passphrase-file', secret)
  const again = await run(server, 'export', code, file)
  const back = await run(server, 'import-whole', file, '--passphrase-file', secret)
  const bare = await there('import-whole', file)
  const come = await there('import-whole', file, '--passphrase-file', secret)
  const list = await there('list')

  expect(refusedWeak).toMatchObject({ code: 1, stderr: expect.stringContaining('at least 16 letters') })
  expect(out).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ rows \(people: 1, events: 0, entries: 0\) and 0 documents\./),
  })
  expect(again).toMatchObject({ code: 1, stderr: `${file} already exists: name a new file.\n` })
  expect(back).toMatchObject({ code: 1, stderr: expect.stringContaining('is here already') })
  expect(bare).toMatchObject({ code: 1, stderr: expect.stringContaining('name the file of its passphrase') })
  expect(come).toMatchObject({ code: 0, stdout: expect.stringContaining(`has come from localhost:8080`) })
  expect(list.stdout).toContain(`${code}, `)
  rmSync(folder, { recursive: true })
})

test.for([
  [['invite-administrator', 'NOBODY', 'a@b.test'], 1],
  [['reset-second-factor', 'NOBODY', 'a@b.test'], 1],
  [['create', 'X', '--name', 'X', '--email', 'x'], 1],
  [['invite-administrator', 'X'], 2],
  [['create'], 2],
  [['export', 'NOBODY', '/tmp/evac-of-nobody'], 1],
  [['import-whole', '/tmp/evac-of-nobody'], 1],
  [['export', 'NOBODY'], 2],
  [['import-whole'], 2],
  [['suspend', 'X', 'Y'], 2],
  [['list', '--nonsense'], 2],
] as const)('ORG-06 %j ends with code %i and changes nothing', patience, async ([words, code], { server }) => {
  const count = async () => (await server.db.selectFrom('client').select('uid').execute()).length
  const before = await count()

  expect((await run(server, ...words)).code).toBe(code)
  expect(await count()).toBe(before)
})
