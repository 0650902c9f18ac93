import { deleteSecondFactor } from '#features/authority/server/writes/second-factors.queries.ts'
import type { CallAnswer } from '#kernel/route.ts'
import { type Administrator, journalAdministrator, rightsOf } from '#server/administrators/administrator.ts'
import type { Services } from '#server/http/services.ts'
import { type Db, inClients, type Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import type { Device } from '#server/platform/device.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Network } from '#server/platform/network.ts'
import type { confirmIdentity, Me, openWardenSession, signOutOfConsole } from '../../calls/console-sign-in.ts'
import { openFirstSession } from '../sign-in.service.ts'
import { forgetCodeTries, proveCode, takeCodeTry } from './code.service.ts'
import {
  confirmSession,
  findMe,
  listProvenAccounts,
  lockConsoleSession,
  revokeConsoleSession,
  revokeConsoleSessions,
} from './console-session.queries.ts'
import { type Grant, listGrants } from './grants.queries.ts'

/** Who is signed in, how far the grant reaches, and the other organisations of the same password. */
export async function presentMe({ system }: Pick<Services, 'system'>, administrator: Administrator): Promise<Me> {
  const { personUid, clientUid, reach, seesPlans } = administrator
  const me = await findMe(system, administrator)
  const others = (await listOwnGrants(system, administrator)).filter((grant) => grant.clientUid !== clientUid)
  return {
    person: { uid: personUid, first_name: me.firstName, last_name: me.lastName },
    organisation: { uid: clientUid, name: me.organisation, timezone: me.timezone },
    reach: { kind: reach.kind, name: me.reachName },
    sees_plans: seesPlans,
    rights: rightsOf(administrator),
    organisations: others.map((other) => ({ uid: other.clientUid, name: other.organisation })),
    recovery_codes_left: me.recoveryCodesLeft,
  }
}

/** The grants of everything that the session's password opened, other organisations included. */
export const listOwnGrants = async (system: Db, { sessionUid }: Administrator): Promise<Grant[]> =>
  listGrants(system, await listProvenAccounts(system, sessionUid))

/** A code again. Wrong ones count as at sign-in. */
export async function confirm(
  app: Services,
  administrator: Administrator,
  code: string,
  network: Network,
): Promise<CallAnswer<typeof confirmIdentity>> {
  const { accountUid, sessionUid } = administrator
  await takeCodeTry(app, accountUid, network)
  await inClients(app.system, [], async (tx) => {
    await proveCode(tx, app, administrator, code)
    await confirmSession(tx, sessionUid)
  })
  await forgetCodeTries(app, accountUid, network)
  return { status: 'confirmed' }
}

/** The same account on the warden side. Throws `unauthorized_access` without a card. */
export function openOnWardenSide(
  app: Services,
  { accountUid }: Administrator,
  device: Device,
): Promise<CallAnswer<typeof openWardenSession>> {
  return openFirstSession(app, [{ uid: accountUid }], 'Email', device)
}

/** Ends this session alone. */
export async function signOut(tx: Tx, administrator: Administrator): Promise<CallAnswer<typeof signOutOfConsole>> {
  await revokeConsoleSession(tx, administrator.sessionUid)
  await record(tx, journalAdministrator(administrator), {
    action: 'console_signed_out',
    subjectType: 'person',
    subjectUid: administrator.personUid,
  })
  return { status: 'signed_out' }
}

/** Locks the session of a change that rests on it. Throws if it has ended since the guard looked. */
export async function holdSession(tx: Tx, { sessionUid }: Administrator): Promise<void> {
  if (!(await lockConsoleSession(tx, sessionUid))) throw new Refusal('not_signed_in')
}

/** Takes the second factor and its recovery codes away, and ends the console sessions of the account. */
export async function dropSecondFactor(tx: Tx, accountUid: string): Promise<void> {
  await deleteSecondFactor(tx, accountUid)
  await revokeConsoleSessions(tx, [accountUid])
}
