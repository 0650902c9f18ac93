import { randomUUID } from 'node:crypto'
import type { Problems } from '../files/problems.ts'
import type { ExistingAccount } from './account.queries.ts'

/** A person of the file who signs in: somebody with a user name, a password, an assignment, or an account already. */
export interface AccountWish {
  file: string
  line: number
  personUid: string
  accountUid: string | null
  email: string | null
  mobile: string | null
  /** Undefined: the file does not say, what is known stays. */
  username: string | null | undefined
  password: string | null
}

export interface PlannedAccount {
  wish: AccountWish
  existing: ExistingAccount | undefined
  uid: string
  email: string | null
  username: string | null
  mobile: string | null
  /** A person of another organisation signs in with it too. */
  shared: boolean
}

export interface AccountPlan {
  accounts: PlannedAccount[]
  /** Accounts whose sign-in names pass to others in this run. */
  released: string[]
}

export interface PlanInput {
  clientUid: string
  wishes: readonly AccountWish[]
  existing: readonly ExistingAccount[]
  /** Staff of this client who are active once the run is done. */
  staff: ReadonlySet<string>
  problems: Problems
  /** What is left as it is, and why. */
  notes: Problems
}

const identifiers = ['email', 'username', 'mobile'] as const
type Identifier = (typeof identifiers)[number]
const keyOf = (identifier: Identifier, value: string) => `${identifier} ${value.toLowerCase()}`

/**
 * Which account each person signs in with, and its sign-in names when the run is done (AMB-038). A person keeps their
 * account; else the one with the same email is theirs, else user name, else mobile; else a new one is made. What
 * everybody holds at the end decides what clashes, so a mobile can pass from one warden to the next in one run.
 */
export function planAccounts(input: PlanInput): AccountPlan {
  const byUid = new Map(input.existing.map((account) => [account.uid, account]))
  const planned = new Map<string, PlannedAccount>()
  const plan = (wish: AccountWish, existing: ExistingAccount | undefined) => {
    const account = settle(wish, existing, input)
    planned.set(account.uid, account)
  }

  const [owners, seekers] = partition(input.wishes, ({ accountUid }) => accountUid !== null)
  for (const wish of owners) plan(wish, byUid.get(wish.accountUid ?? ''))
  const holders = indexHolders(input, planned)
  for (const wish of seekers) {
    const match = findMatch(wish, holders)
    const existing = match && byUid.get(match.uid)
    const clash = match && refuseMatch(wish, match.uid, existing, planned, input)
    if (match && clash) input.problems.add(wish.file, wish.line, match.by, clash)
    else plan(wish, existing)
  }

  const accounts = [...planned.values()]
  return { accounts, released: settleHolders(accounts, input) }
}

/** Nobody active stands behind it any more: its sign-in names are free. */
function isAbandoned(account: ExistingAccount, { clientUid, staff }: PlanInput): boolean {
  return (
    account.people.length > 0 &&
    account.people.every((person) => (person.clientUid === clientUid ? !staff.has(person.personUid) : !person.active))
  )
}

/** Who holds which sign-in name: planned accounts by what they will hold, the others by what they do. */
function indexHolders(input: PlanInput, planned: ReadonlyMap<string, PlannedAccount>): Map<string, string> {
  const holders = new Map<string, string>()
  for (const account of input.existing) {
    if (isAbandoned(account, input)) continue
    const values = planned.get(account.uid) ?? account
    for (const identifier of identifiers) {
      const value = values[identifier]
      if (value !== null) holders.set(keyOf(identifier, value), account.uid)
    }
  }
  return holders
}

function findMatch(wish: AccountWish, holders: ReadonlyMap<string, string>) {
  for (const by of identifiers) {
    const uid = wish[by] ? holders.get(keyOf(by, wish[by])) : undefined
    if (uid) return { by, uid }
  }
  return undefined
}

/** One account stands for one person of a client. */
function refuseMatch(
  wish: AccountWish,
  accountUid: string,
  existing: ExistingAccount | undefined,
  planned: ReadonlyMap<string, PlannedAccount>,
  { clientUid }: PlanInput,
): string | undefined {
  const other = planned.get(accountUid)
  if (other) return `belongs to the account of the person on line ${other.wish.line}`
  const taken = existing?.people.some((person) => person.clientUid === clientUid && person.personUid !== wish.personUid)
  return taken ? "belongs to another person's account" : undefined
}

/**
 * The sign-in names the account will hold. Of an account shared with another organisation, a name changes only once
 * the other's people carry the same: a file must not take over somebody else's warden.
 */
function settle(
  wish: AccountWish,
  existing: ExistingAccount | undefined,
  { clientUid, notes }: PlanInput,
): PlannedAccount {
  const others = existing?.people.filter((person) => person.clientUid !== clientUid && person.active) ?? []
  const choose = (identifier: Identifier) => {
    const held = existing?.[identifier] ?? null
    const wanted = wish[identifier]
    if (wanted === undefined || wanted === held) return held
    const agreed = others.every(
      (person) => wanted !== null && identifier !== 'username' && isSame(person[identifier], wanted),
    )
    if (agreed || (held === null && wanted !== null)) return wanted
    if (wanted !== null)
      notes.add(wish.file, wish.line, identifier, 'stays as it is for sign-in: another organisation shares the account')
    return held
  }
  return {
    wish,
    existing,
    uid: existing?.uid ?? randomUUID(),
    email: choose('email'),
    username: choose('username'),
    mobile: choose('mobile'),
    shared: others.length > 0,
  }
}

const isSame = (a: string | null, b: string) => a?.toLowerCase() === b.toLowerCase()

/** Tells every sign-in name that two would hold; answers the accounts that must let go of theirs first. */
function settleHolders(accounts: readonly PlannedAccount[], input: PlanInput): string[] {
  const plannedByKey = new Map<string, PlannedAccount>()
  const planned = new Map(accounts.map((account) => [account.uid, account]))
  const released = new Set<string>()
  const existingByKey = new Map<string, ExistingAccount>()
  for (const account of input.existing) {
    for (const identifier of identifiers) {
      const value = account[identifier]
      if (value !== null) existingByKey.set(keyOf(identifier, value), account)
    }
  }
  for (const account of accounts) {
    const { file, line } = account.wish
    for (const identifier of identifiers) {
      const value = account[identifier]
      if (value === null) continue
      const key = keyOf(identifier, value)
      const twin = plannedByKey.get(key)
      const holder = existingByKey.get(key)
      if (twin) input.problems.add(file, line, identifier, `is also that of the person on line ${twin.wish.line}`)
      else if (holder && holder.uid !== account.uid) {
        if (planned.has(holder.uid) || isAbandoned(holder, input)) released.add(holder.uid)
        else input.problems.add(file, line, identifier, "belongs to another person's account")
      }
      plannedByKey.set(key, account)
    }
  }
  return [...released]
}

function partition<T>(list: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [list.filter(test), list.filter((item) => !test(item))]
}
