import type { AccountUpdate, AccountValues } from '#features/authority/server/writes/accounts.queries.ts'
import type { ExistingAccount } from '../accounts/account.queries.ts'
import type { AccountChanges } from '../accounts/table-accounts.ts'
import type { ChangedRow, Difference } from '../stored/difference.ts'
import type { TargetRow } from '../stored/write.queries.ts'

/** People and accounts that must change in one transaction. */
export interface PeopleAtom {
  added: TargetRow<'person'>[]
  changed: ChangedRow<'person'>[]
  /** People who are not in people.csv and become wardens. */
  links: { uid: string; accountUid: string }[]
  created: AccountValues[]
  updated: AccountUpdate[]
  released: string[]
}

/** Number of rows that an atom writes. */
export const sizeOf = (atom: PeopleAtom) =>
  Object.values(atom).reduce((sum: number, rows: readonly unknown[]) => sum + rows.length, 0)

const identifiers = ['email', 'username', 'mobile'] as const

/**
 * Groups changes that must share a transaction. A new account goes with its person, so that it never belongs to someone
 * else. Accounts that exchange a sign-in name change together, so that an interrupted run leaves no one without one.
 */
export function peopleAtoms(
  difference: Difference<'person'>,
  links: PeopleAtom['links'],
  { created, updated, released, accountOf }: AccountChanges,
  existing: readonly ExistingAccount[],
): PeopleAtom[] {
  const groups = new Groups()
  const holders = holdersOf(existing.filter(({ uid }) => released.includes(uid)))
  for (const account of [...created, ...updated])
    for (const name of identifiers) {
      const holder = account[name] && holders.get(`${name} ${account[name].toLowerCase()}`)
      if (holder) groups.join(account.uid, holder)
    }
  const atoms = new Map<string, PeopleAtom>()
  const atomOf = (uid: string) => {
    const key = groups.find(uid)
    const atom = atoms.get(key) ?? { added: [], changed: [], links: [], created: [], updated: [], released: [] }
    atoms.set(key, atom)
    return atom
  }
  for (const uid of released) atomOf(uid).released.push(uid)
  for (const account of updated) atomOf(account.uid).updated.push(account)
  for (const account of created) atomOf(account.uid).created.push(account)
  const ofPerson = (uid: string) => atomOf(accountOf.get(uid) ?? uid)
  for (const row of difference.added) ofPerson(row.uid).added.push(row)
  for (const change of difference.changed) ofPerson(change.row.uid).changed.push(change)
  for (const link of links) ofPerson(link.uid).links.push(link)
  return [...atoms.values()]
}

function holdersOf(accounts: readonly ExistingAccount[]): Map<string, string> {
  const holders = new Map<string, string>()
  for (const account of accounts)
    for (const name of identifiers)
      if (account[name]) holders.set(`${name} ${account[name].toLowerCase()}`, account.uid)
  return holders
}

/** Union-find. */
class Groups {
  readonly #parents = new Map<string, string>()

  find(uid: string): string {
    let root = uid
    for (let next = this.#parents.get(root); next !== undefined; next = this.#parents.get(root)) root = next
    if (root !== uid) this.#parents.set(uid, root)
    return root
  }

  join(a: string, b: string) {
    const [one, other] = [this.find(a), this.find(b)]
    if (one !== other) this.#parents.set(one, other)
  }
}
