import type { Administrator } from '#server/administrators/administrator.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type Act, type Cell, cellOf, type Target } from '../table.ts'
import {
  beyondReach,
  noGrant,
  nothingToSignInFor,
  onlyAnother,
  onlyHolders,
  onlyWhole,
  operator,
  revokeFirst,
  sentByMail,
} from '../words.ts'
import type { HeldRole, Power } from './power.queries.ts'

/** An administrator who acts. */
export type ActingAdministrator = Pick<
  Administrator,
  'clientUid' | 'personUid' | 'reach' | 'seesPlans' | 'isConfirmed'
> & { kind: 'administrator' }

/** Who acts: an administrator, or the operator, who may do all. `name`: as people are told. */
export type ActingAs =
  | ActingAdministrator
  | { kind: 'operator'; clientUid: Administrator['clientUid']; personUid: null; name: string }

export const asAdministrator = ({
  clientUid,
  personUid,
  reach,
  seesPlans,
  isConfirmed,
}: Omit<ActingAdministrator, 'kind'>): ActingAdministrator => ({
  kind: 'administrator',
  clientUid,
  personUid,
  reach,
  seesPlans,
  isConfirmed,
})

export const asOperator = (clientUid: Administrator['clientUid']): ActingAs => ({
  kind: 'operator',
  clientUid,
  personUid: null,
  name: operator,
})

/** A role that the administrator could not offer. */
function isBeyond({ reach }: Pick<ActingAdministrator, 'reach'>, { siteUid, starts, isOfFloor }: HeldRole) {
  if (reach.kind === 'organisation') return false
  return reach.kind === 'site' ? siteUid !== reach.siteUid : starts || !isOfFloor
}

type Held = Pick<Power, 'personUid' | 'grant' | 'roles'>

/** What the person is to the administrator. */
function targetOf(actor: ActingAdministrator, { personUid, grant, roles }: Held): Target {
  if (personUid === actor.personUid) return 'self'
  if (grant) return grant.seesPlans ? 'plans' : 'grant'
  if (roles.some((role) => isBeyond(actor, role))) return 'beyond'
  if (roles.some(({ starts }) => starts)) return 'starts'
  return roles.length > 0 ? 'roles' : 'none'
}

export interface Decision {
  /** Why it is refused. Undefined if it may be done. */
  refusal?: Refusal
  needsCode: boolean
  tells: boolean
  endsPlans: boolean
  keepsOwn: boolean
}

/** May the act be done to the person? A code that is needed is said by `needsCode` alone: who can ask for one does. */
export function decide(
  actor: ActingAs,
  act: Act,
  person: Held & Pick<Power, 'name'>,
  { sendsMail }: { sendsMail: boolean },
): Decision {
  if (actor.kind === 'operator') return { ...none, tells: true }
  const target = targetOf(actor, person)
  const cell = cellOf(act, target)
  const has = (letter: string) => cell.includes(letter)
  const refusal = refusalOf(actor, { act, target, cell, name: person.name, sendsMail })
  return {
    ...(refusal && { refusal }),
    needsCode: has('c'),
    tells: has('t'),
    endsPlans: has('p'),
    keepsOwn: has('k'),
  }
}

const none = { needsCode: false, tells: false, endsPlans: false, keepsOwn: false }

interface Asked {
  act: Act
  target: Target
  cell: Cell
  name: string
  sendsMail: boolean
}

function refusalOf(actor: ActingAdministrator, { act, target, cell, name, sendsMail }: Asked): Refusal | undefined {
  if (cell === '–') return refusalOfNo(act, target, name)
  if (cell.includes('w') && actor.reach.kind !== 'organisation') return new Refusal('forbidden', onlyWhole)
  if (act === 'allow_plans' && !actor.seesPlans) return new Refusal('forbidden', onlyHolders)
  return cell.includes('m') && sendsMail ? new Refusal('forbidden', sentByMail) : undefined
}

function refusalOfNo(act: Act, target: Target, name: string): Refusal {
  if (target === 'beyond') return new Refusal('beyond_reach', beyondReach(name))
  if (target === 'self') return new Refusal('forbidden', onlyAnother)
  if (act === 'merge_goes') return new Refusal('forbidden', revokeFirst(name))
  return new Refusal('invalid_transition', target === 'none' ? nothingToSignInFor : noGrant)
}

/** Roles and a grant that the person has now, has not had before, and the administrator could not give. */
export function gainsBeyond(actor: ActingAs, before: Held | undefined, after: Held): boolean {
  if (actor.kind === 'operator') return false
  const key = (role: HeldRole) => `${role.siteUid} ${role.starts} ${role.isOfFloor}`
  const had = new Set(before?.roles.map(key))
  return after.roles.some((role) => !had.has(key(role)) && isBeyond(actor, role))
}
