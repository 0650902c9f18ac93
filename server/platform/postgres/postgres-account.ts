import { readFileSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The account for a child process. Undefined means the account of this process. */
export interface Account {
  name: string
  uid: number
  gid: number
}

/**
 * PostgreSQL refuses uid 0 and initdb needs a passwd entry. As root, use the owner of existing data, otherwise a
 * service account.
 */
export function databaseAccount(cluster: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = listAccounts()
  const owner = ownerOf(cluster)
  const account =
    accounts.find(({ uid }) => uid !== 0 && uid === owner) ??
    accounts.find(({ name }) => name === 'postgres') ??
    accounts.find(({ name }) => name === 'nobody')
  if (account) return account
  throw new Error(
    'PostgreSQL does not run as root, and there is no account "postgres" or "nobody": start this as another user.',
  )
}

/** The first folder on the way to `path` (or `path` itself) that the account cannot enter. */
export function closedFolder(path: string, account: Account): string | undefined {
  const parents = dirname(path) === path ? undefined : closedFolder(dirname(path), account)
  return parents ?? (mayEnter(statSync(path), account) ? undefined : path)
}

function mayEnter({ mode, uid, gid }: Stats, account: Account): boolean {
  if (uid === account.uid) return (mode & 0o100) !== 0
  if (gid === account.gid) return (mode & 0o010) !== 0
  return (mode & 0o001) !== 0
}

function listAccounts(): Account[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [name = '', , uid, gid] = line.split(':')
    return Number(uid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}

function ownerOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.uid
}
