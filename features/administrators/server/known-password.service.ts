import { voidKnownPassword } from '#features/authority/server/writes/accounts.queries.ts'
import { dropSecondFactor } from '#features/sign-in/server/console/console-session.service.ts'
import { endSessions } from '#features/sign-in/server/session.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { Staff } from './administrators.queries.ts'

/**
 * Whoever saw the link of an invitation may know the password that it set, and so may whoever set one for a person that was
 * merged into this one. It opens no console: the person sets another one. What that password opened ends, too.
 */
export async function withoutKnownPassword(tx: Tx, staff: Staff): Promise<Staff> {
  const { accountUid, hasKnownPassword } = staff
  if (!accountUid || !hasKnownPassword) return staff
  await voidKnownPassword(tx, accountUid)
  await dropSecondFactor(tx, accountUid)
  await endSessions(tx, [accountUid])
  return { ...staff, hasPassword: false, hasSecondFactor: false, hasKnownPassword: false }
}
