import type { AccountUpdate, AccountValues } from '#features/authority/server/writes/accounts.queries.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Problems } from '../files/problems.ts'
import type { OnDuty } from '../import.queries.ts'
import { type OnProgress, stageOf } from '../import-progress.ts'
import type { CheckedTables } from '../read-tables.ts'
import { type ExistingAccount, listAccounts } from './account.queries.ts'
import { settlePasswords } from './account-passwords.ts'
import { type AccountPlan, planAccounts } from './difference-of-accounts.ts'

export interface AccountChanges {
  created: AccountValues[]
  updated: AccountUpdate[]
  unchanged: number
  /** Accounts whose sign-in names move to others in this run. */
  released: string[]
  accountOf: ReadonlyMap<string, string>
}

/** Plans the accounts of the people in the rows. Adds what cannot be to the problems. */
export async function planTableAccounts(
  db: Db,
  { requested, known, assignments }: CheckedTables,
  onDuty: readonly OnDuty[],
  problems: Problems,
): Promise<{ plan: AccountPlan; existing: ExistingAccount[] }> {
  const all = (values: (string | null | undefined)[]) => [
    ...new Set(values.filter((value) => typeof value === 'string')),
  ]
  const lower = (values: (string | null | undefined)[]) => all(values).map((value) => value.toLowerCase())
  const existing = await listAccounts(db, {
    clientUid: known.client.uid,
    uids: all([
      ...requested.map(({ accountUid }) => accountUid),
      ...(assignments?.rows ?? []).map(({ person }) => known.people.get(person)?.accountUid),
    ]),
    emails: lower(requested.map(({ email }) => email)),
    usernames: lower(requested.map(({ username }) => username)),
    mobiles: all(requested.map(({ mobile }) => mobile)),
  })
  const staff = new Set(existing.flatMap(({ staff }) => staff))
  const codes = new Map<string, string>()
  for (const { uid, code, active, kind } of known.people.values()) {
    codes.set(uid, code)
    if (active && kind === 'staff') staff.add(uid)
    else staff.delete(uid)
  }
  for (const { personUid } of onDuty) staff.add(personUid)
  return { plan: planAccounts({ requested, existing, staff, codes, problems }), existing }
}

/** What is to be written, with the hashes of new passwords. */
export async function settleAccounts(
  { accounts, released }: AccountPlan,
  options: { dryRun: boolean; onProgress: OnProgress },
): Promise<AccountChanges> {
  const withPassword = accounts.filter(({ requested }) => requested.password !== null)
  const onChecked = stageOf('checking passwords', withPassword.length, options.onProgress)
  const passwords = await settlePasswords({ accounts, ...options, onChecked })
  const created: AccountValues[] = []
  const updated: AccountUpdate[] = []
  for (const { uid, email, username, mobile, existing } of accounts) {
    const hashes = passwords.get(uid) ?? { passwordHash: null, importedPasswordHash: null }
    const values = { uid, email, username, mobile, ...hashes }
    if (!existing) created.push(values)
    else if (Object.entries(values).some(([column, value]) => existing[column as keyof AccountValues] !== value))
      updated.push({ ...values, heldPasswordHash: existing.passwordHash })
  }
  return {
    created,
    updated,
    unchanged: accounts.length - created.length - updated.length,
    released,
    accountOf: new Map(accounts.map(({ uid, requested }) => [requested.personUid, uid])),
  }
}
