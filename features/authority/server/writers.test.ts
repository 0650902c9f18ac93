import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '#server/testing/server-test.ts'
import { noteAccounts } from './in-act.service.ts'

test('AUTH-21 a statement of the product that is none of authority writes no sign-in, grant or who is in use', async ({
  server,
}) => {
  const org = await server.given.organisation()
  const { personUid, accountUid } = await server.given.warden(org)
  const { system } = server.app
  const statements = [
    sql`update account set password_hash = 'mine' where uid = ${accountUid}`,
    sql`insert into account (owner_client_uid, email) values (${org.clientUid}, 'new@evac.test')`,
    sql`insert into second_factor (account_uid, secret, last_step) values (${accountUid}, '\\x00', 0)`,
    sql`insert into recovery_code (account_uid, code_hash) values (${accountUid}, '\\x00')`,
    sql`insert into administrator (client_uid, person_uid, reach) values (${org.clientUid}, ${personUid}, 'organisation')`,
    sql`insert into invitation (client_uid, person_uid, token_hash, expires_at)
      values (${org.clientUid}, ${personUid}, '\\x00', now())`,
    sql`insert into password_reset (account_uid, token_hash, expires_at) values (${accountUid}, '\\x00', now())`,
    sql`update person set account_uid = null where uid = ${personUid}`,
    sql`update person set active = false where uid = ${personUid}`,
    sql`update person set merged_into_uid = uid where uid = ${personUid}`,
  ]

  for (const statement of statements) await expect(statement.execute(system)).rejects.toThrow('only features/authority')
  await sql`update person set last_name = 'Other' where uid = ${personUid}`.execute(system)
})

test('AUTH-21 AUTH-20 a write of a sign-in outside an act is a bug', async ({ server }) => {
  await server.db.transaction().execute(async (tx) => {
    expect(() => noteAccounts(tx, [])).toThrow('outside an act')
  })
})
