import { expect, test, vi } from 'vitest'
import { startMailServer } from '#features/mail/server/mail.fixture.ts'
import { startCentre } from '#features/texts/server/gateways/smpp.fixture.ts'
import { givenAdministrator } from '../testing/administrators.ts'
import { openTestDatabase } from '../testing/database.ts'
import { createGiven } from '../testing/given.ts'
import { startNode } from '../testing/nodes.ts'
import { runCommand } from '../testing/run-command.ts'

const patience = { timeout: 120_000 }

test(
  'F29 the doctor sends a test text and a test mail, and finds no fault in a working installation',
  patience,
  async () => {
    await using database = await openTestDatabase()
    await using centre = await startCentre()
    await using post = await startMailServer()
    await using node = await startNode(database)
    const { host, port, systemId, password } = centre.settings
    vi.stubEnv('APP_URL', node.url)
    vi.stubEnv('SMTP_URL', post.url)
    vi.stubEnv('SMS_GATEWAY', 'smpp')
    vi.stubEnv('SMPP_URL', `smpp://${systemId}:${password}@${host}:${port}`)
    vi.stubEnv('SMPP_FROM', 'Evac')

    const { code, stdout } = await runCommand(
      'commands/doctor-main.ts',
      database,
      ...['--text', '+61491570156', '--mail', 'ada@harbour.test'],
    )

    expect(stdout).not.toContain('FAULT')
    expect(stdout).toContain('Live updates work')
    expect(code).toBe(0)
    expect(centre.taken.map(({ to }) => to)).toEqual(['61491570156'])
    expect(post.received.map(({ to }) => to)).toEqual([['ada@harbour.test']])
  },
)

test('F29 the doctor names each service that does not work and each fault of the proxy', patience, async () => {
  await using database = await openTestDatabase()
  const { db } = database.fixtures
  const admin = await givenAdministrator({ db }, await createGiven(db).organisation())
  const grant = db.updateTable('administrator').set({ owedLink: true }).where('uid', '=', admin.administratorUid)
  await grant.execute()
  await db.deleteFrom('secondFactor').execute()
  await db.updateTable('account').set({ email: null, username: 'nora' }).execute()
  await db.updateTable('person').set({ email: null }).execute()
  vi.stubEnv('SMTP_URL', 'smtp://127.0.0.1:1')
  vi.stubEnv('CENTRIFUGO_URL', 'http://127.0.0.1:1')
  vi.stubEnv('CENTRIFUGO_API_KEY', 'key')
  vi.stubEnv('APP_URL', 'http://127.0.0.1:1')
  vi.stubEnv('SMTP_HOST', 'mail.harbour.test')

  const { code, stdout } = await runCommand('commands/doctor-main.ts', database)

  expect(stdout).toMatch(
    /FAULT +mail \(127\.0\.0\.1:1\) does not work: mail server: (ECONNECTION|ESOCKET), .*ECONNREFUSED/,
  )
  expect(stdout).toMatch(/WARNING \S+: An administrator has no second factor, and no email address/)
  expect(stdout).toMatch(/FAULT +Centrifugo does not work at http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/)
  expect(stdout).toMatch(/WARNING Nothing answers at http:\/\/127\.0\.0\.1:1/)
  expect(stdout).toMatch(/WARNING SMTP_HOST is not a setting of Evac/)
  expect(code).toBe(1)
})
