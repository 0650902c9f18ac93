import { holdDirectory } from '#features/directory/server/change-directory.service.ts'
import { lockSite } from '#features/events/server/event.queries.ts'
import type { ClientUid, WardenRoleUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import { within } from '#server/administrators/reach.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { addRole, changeRole, listRoles, RoleRow } from '../../calls/wardens.ts'
import { inEvent, requireVersion, save } from './change-or-defer.ts'
import * as queries from './roles.queries.ts'

/** The roles, and the sites where no one can start an event today. */
export async function presentRoles(tx: Tx, administrator: Administrator): Promise<CallAnswer<typeof listRoles>> {
  const { clientUid, reach } = administrator
  const rows = await queries.listRoles(tx, clientUid)
  return {
    rows: rows.map(present),
    without_manager: await queries.listSitesWithoutManager(tx, clientUid, within(administrator).site),
    may_change: reach.kind === 'organisation',
  }
}

const present = ({ inUse, wasAssigned, onDutyAt, commandOrder, changedAt: _, ...row }: queries.RoleRow): RoleRow => ({
  ...row,
  in_use: inUse,
  was_assigned: wasAssigned,
  on_duty_at: onDutyAt,
  command_order: commandOrder,
})

const requireWhole = ({ reach }: Administrator) => {
  if (reach.kind !== 'organisation')
    throw new Refusal('forbidden', 'Only an administrator of the whole organisation can change roles.')
}

/** Cells that are missing keep what stands. */
const cellsOf = ({ command_order, called }: Pick<CallInput<typeof addRole>['body'], 'command_order' | 'called'>) => ({
  ...(command_order !== undefined && { command_order: command_order === null ? '' : String(command_order) }),
  ...(called && { called }),
})

export async function makeRole(
  app: Services,
  tx: Tx,
  administrator: Administrator,
  { name, domain, modules, ...more }: CallInput<typeof addRole>['body'],
): Promise<WardenRoleUid> {
  requireWhole(administrator)
  const { clientUid } = administrator
  await holdDirectory(tx, clientUid)
  const row = {
    uid: null,
    code: await queries.freeCode(tx, clientUid),
    name,
    area_domain: domain,
    modules: modules.join(' '),
    ...cellsOf(more),
  }
  const { uids } = await save(app, tx, administrator, { roles: [row] })
  return uids.roles?.[0] as WardenRoleUid
}

/** Modules are added at once, and taken from no one on duty; the domain stays once someone had the role. */
export async function change(
  app: Services,
  tx: Tx,
  administrator: Administrator,
  uid: WardenRoleUid,
  body: CallInput<typeof changeRole>['body'],
): Promise<void> {
  requireWhole(administrator)
  const { clientUid } = administrator
  await holdDirectory(tx, clientUid)
  const [held] = await queries.listRoles(tx, clientUid, uid)
  if (!held) throw new Refusal('not_found')
  requireVersion(held, body.version)
  const { name, domain, modules, in_use } = body
  if (domain !== held.domain && held.wasAssigned)
    throw new Refusal('in_use', 'The domain cannot be changed: someone has had this role.', ['domain'])
  const takes =
    domain !== held.domain || held.modules.some((module) => !modules.includes(module)) || (held.inUse && !in_use)
  if (takes) await holdHolders(tx, clientUid, uid)
  const row = { uid, name, area_domain: domain, modules: modules.join(' '), ...cellsOf(body) }
  const { left } = await save(app, tx, administrator, { roles: [row] })
  if (left.length > 0) throw inEvent(held.onDutyAt ?? 'a site')
  if (in_use === held.inUse) return
  await queries.setInUse(tx, clientUid, uid, in_use)
  await record(tx, journalAdministrator(administrator), {
    action: 'role_changed',
    subjectType: 'role',
    subjectUid: uid,
    after: { in_use },
  })
}

/** No one with the role goes on duty until the transaction ends. Throws `in_event` if someone is. */
async function holdHolders(tx: Tx, clientUid: ClientUid, uid: WardenRoleUid): Promise<void> {
  for (const siteUid of await queries.listSitesOfRole(tx, clientUid, uid)) await lockSite(tx, siteUid)
  const post = await queries.lockHolders(tx, clientUid, uid)
  if (post) throw inEvent(post)
}
