import { randomUUID } from 'node:crypto'
import type { Problems } from '../files/problems.ts'
import type { ExistingAccount } from './account.queries.ts'

/** A person of the file who signs in: one with a user name, a password, an assignment, or an existing account. */
export interface RequestedAccount {
  file: string
  line: number
  personUid: string
  accountUid: string | null
  email: string | null
  mobile: string | null
  /** Undefined if the file lacks the column. The stored value then stays. */
  username: string | null | undefined
  password: string | null
  /** Someone who is out of use gives way: a sign-in name that another has stays with the other. */
  givesWay?: boolean
}

export interface PlannedAccount {
  requested: RequestedAccount
  existing: ExistingAccount | undefined
  uid: string
  email: string | null
  username: string | null
  mobile: string | null
}

export interface AccountPlan {
  accounts: PlannedAccount[]
  /** Accounts whose sign-in names move to others in this run. */
  released: string[]
}

export interface PlanInput {
  requested: readonly RequestedAccount[]
  existing: readonly ExistingAccount[]
  /** Staff of this client who are active after the run. */
  staff: ReadonlySet<string>
  /** Of the people whom the problems may name. */
  codes: ReadonlyMap<string, string>
  problems: Problems
}

const identifiers = ['email', 'username', 'mobile'] as const
type Identifier = (typeof identifiers)[number]
const keyOf = (identifier: Identifier, value: string) => `${identifier} ${value.toLowerCase()}`

/**
 * Plans the account of each person and its sign-in names after the run. Considers only accounts of this client. A
 * person keeps their account or gets a new one. Conflicts are decided by the state after the run, so a mobile can move from
 * one warden to another in one run.
 */
export function planAccounts(input: PlanInput): AccountPlan {
  const byUid = new Map(input.existing.map((account) => [account.uid, account]))
  const [yielding, others] = partition(input.requested, ({ givesWay }) => givesWay === true)
  const [owners, seekers] = partition(others, ({ accountUid }) => accountUid !== null)
  const accounts = [...owners, ...seekers, ...yielding].map((requested) =>
    settle(requested, byUid.get(requested.accountUid ?? '')),
  )
  return { accounts, released: settleHolders(accounts, input) }
}

/** True if no active person has the account. Its sign-in names are then free. */
const isAbandoned = ({ people }: ExistingAccount, { staff }: PlanInput) => people.every((uid) => !staff.has(uid))

function settle(requested: RequestedAccount, existing: ExistingAccount | undefined): PlannedAccount {
  const { email, mobile, username = existing?.username ?? null } = requested
  return { requested, existing, uid: existing?.uid ?? randomUUID(), email, username, mobile }
}

/** Reports every sign-in name that two accounts would have. Returns the accounts that must give up theirs first. */
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
    const { file, line } = account.requested
    for (const identifier of identifiers) {
      const value = account[identifier]
      if (value === null) continue
      const key = keyOf(identifier, value)
      const twin = plannedByKey.get(key)
      const holder = existingByKey.get(key)
      const isHeld = holder && holder.uid !== account.uid
      if (account.requested.givesWay && (twin || isHeld)) {
        account[identifier] = null
        continue
      }
      if (twin) input.problems.add(file, line, identifier, `is also that of the person on line ${twin.requested.line}`)
      else if (isHeld) {
        if (planned.has(holder.uid) || isAbandoned(holder, input)) released.add(holder.uid)
        else input.problems.add(file, line, identifier, `belongs to ${whoseAccount(holder, input)}`)
      }
      plannedByKey.set(key, account)
    }
  }
  return [...released]
}

/** Where people.csv gives the person another sign-in name on a row that is left out, that row is the reason. */
function whoseAccount({ people }: ExistingAccount, { codes, problems }: PlanInput): string {
  const [line] = people.flatMap((uid) => problems.lineLeftOut('people.csv', codes.get(uid) ?? '') ?? [])
  return line === undefined
    ? "another person's account"
    : `the account of the person on line ${line}, which is left out`
}

function partition<T>(list: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [list.filter(test), list.filter((item) => !test(item))]
}
