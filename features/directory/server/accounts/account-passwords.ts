import { hashPassword, verifyPassword } from '#server/platform/passwords.ts'
import type { PlannedAccount } from './difference-of-accounts.ts'

export interface Passwords {
  passwordHash: string | null
  importedPasswordHash: string | null
}

export interface PasswordInput {
  accounts: readonly PlannedAccount[]
  /** A dry run shows what would change without hashing passwords. */
  dryRun: boolean
  onChecked: (count: number) => void
}

/** The passwords of each account. Hashes two at a time, outside any transaction. */
export async function settlePasswords(input: PasswordInput): Promise<Map<string, Passwords>> {
  const settled = new Map<string, Passwords>()
  const queue = input.accounts.values()
  const work = async () => {
    for (const account of queue) {
      settled.set(account.uid, await settle(account, input))
      if (account.requested.password !== null) input.onChecked(1)
    }
  }
  await Promise.all([work(), work()])
  return settled
}

/** Sets a password if there is none, or if the cell differs from the last import. A password changed in the app stays. */
async function settle({ requested, existing }: PlannedAccount, { dryRun }: PasswordInput): Promise<Passwords> {
  const passwordHash = existing?.passwordHash ?? null
  const importedPasswordHash = existing?.importedPasswordHash ?? null
  const kept = { passwordHash, importedPasswordHash }
  if (requested.password === null) return kept
  if (passwordHash && importedPasswordHash && (await verifyPassword(importedPasswordHash, requested.password)))
    return kept
  const made = dryRun ? 'a dry run makes no hash' : await hashPassword(requested.password)
  return { passwordHash: made, importedPasswordHash: made }
}
