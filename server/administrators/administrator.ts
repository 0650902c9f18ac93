import { type ConsoleRight, consoleRights, type ReachKind } from '#kernel/console-kinds.ts'
import type { AdministratorUid, ClientUid, GroupUid, PersonUid, SiteUid } from '#kernel/ids.ts'

/** How far a grant reaches. */
export type Reach =
  | { kind: 'organisation' }
  | { kind: 'site'; siteUid: SiteUid }
  | { kind: 'group'; groupUid: GroupUid }

/** Who makes this request of the console. Read from the database on every request and never cached. */
export interface Administrator {
  sessionUid: string
  accountUid: string
  administratorUid: AdministratorUid
  clientUid: ClientUid
  personUid: PersonUid
  reach: Reach
  /** The Plans permission. */
  seesPlans: boolean
  /** A code was given within ten minutes. */
  isConfirmed: boolean
}

const rightsOfReach: Record<ReachKind, readonly ConsoleRight[]> = {
  organisation: consoleRights,
  site: ['people', 'wardens', 'places', 'lists', 'tables', 'plans', 'records'],
  group: ['people', 'wardens', 'places', 'tables', 'plans'],
}

/** The rights of a grant. Plans need the mark. */
export const rightsOf = ({ reach, seesPlans }: Pick<Administrator, 'reach' | 'seesPlans'>): ConsoleRight[] =>
  rightsOfReach[reach.kind].filter((right) => right !== 'plans' || seesPlans)

/** True if the grant allows a call with this right. A group's administrator only reads places. */
export function mayUse(administrator: Administrator, right: ConsoleRight | 'any', isRead: boolean): boolean {
  if (right === 'any') return true
  if (right === 'places' && administrator.reach.kind === 'group' && !isRead) return false
  return rightsOf(administrator).includes(right)
}

/** The administrator as the journal stores them. */
export const journalAdministrator = ({ clientUid, personUid }: Pick<Administrator, 'clientUid' | 'personUid'>) => ({
  clientUid,
  personUid,
  signInUid: null,
})
