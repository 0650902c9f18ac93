import type { ExistingAccount } from './accounts/account.queries.ts'
import type { AccountChanges } from './accounts/table-accounts.ts'
import { isOpen } from './assignments/difference-of-assignments.ts'
import type { CheckedTables } from './read-tables.ts'

/** The configured ways to send links. */
export interface Ways {
  texts: boolean
  mails: boolean
}

/** Uids of wardens of the files who could not sign in after the import. */
export function listCannotSignIn(
  { assignments, known }: CheckedTables,
  existing: readonly ExistingAccount[],
  { created, updated, accountOf }: AccountChanges,
  ways: Ways,
): string[] {
  const accounts = new Map([...existing, ...created, ...updated].map((account) => [account.uid, account]))
  const wardens = new Set(
    (assignments?.rows ?? []).filter((row) => isOpen(row) && !row.isOver).map(({ person }) => person),
  )
  return [...wardens].flatMap((code) => {
    const person = known.people.get(code)
    const account = person && accounts.get(accountOf.get(person.uid) ?? person.accountUid ?? '')
    const { email, username, mobile, passwordHash } = account ?? {}
    const can = (passwordHash && (email || username)) || (ways.texts && mobile) || (ways.mails && email)
    return person && !can ? [person.uid] : []
  })
}
