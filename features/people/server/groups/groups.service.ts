import { holdDirectory } from '#features/directory/server/change-directory.service.ts'
import { addMembers, removeMembers } from '#features/directory/server/members/group-members.service.ts'
import { groupLimits } from '#kernel/console-kinds.ts'
import type { ClientUid, GroupUid } from '#kernel/ids.ts'
import { oneName } from '#kernel/name-fold.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import { presentPage, readSpan } from '#server/administrators/list-page.ts'
import { within } from '#server/administrators/reach.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { fieldRefusal, Refusal } from '#server/platform/errors.ts'
import { keyring } from '#server/platform/secrets.ts'
import type { addGroup, changeGroup, changeMembers, GroupRow, getGroup, listGroups } from '../../calls/groups.ts'
import * as queries from './groups.queries.ts'

/** A page of the groups. */
export async function list(
  { secrets, clock }: Pick<Services, 'secrets' | 'clock'>,
  tx: Tx,
  { clientUid }: Administrator,
  { after, before, ...filters }: CallInput<typeof listGroups>['query'],
): Promise<CallAnswer<typeof listGroups>> {
  const name = { seals: keyring(secrets, 'listKeys'), clientUid, list: 'groups' }
  const span = readSpan(name, { ...(after !== undefined && { after }), ...(before !== undefined && { before }) })
  return presentPage(name, span, await queries.listGroups(tx, clientUid, filters, span), {
    keyOf: ({ name, uid }) => [name, uid],
    present: presentRow,
    total: await queries.countGroups(tx, clientUid, filters),
    now: clock.now(),
  })
}

const presentRow = ({ uid, version, name, code, active, members, keptBy }: queries.StoredGroup): GroupRow => ({
  uid,
  version,
  name,
  code,
  members,
  in_use: active,
  kept_by: keptBy,
})

export async function present(
  tx: Tx,
  { clientUid }: Administrator,
  uid: GroupUid,
): Promise<CallAnswer<typeof getGroup>> {
  const found = await requireGroup(tx, clientUid, uid)
  return { ...presentRow(found), changed_at: found.changedAt.toISOString() }
}

async function requireGroup(tx: Tx, clientUid: ClientUid, uid: GroupUid): Promise<queries.StoredGroup> {
  const found = await queries.findGroup(tx, clientUid, uid)
  if (!found) throw new Refusal('not_found')
  return found
}

/** A new group without members. */
export async function add(
  tx: Tx,
  administrator: Administrator,
  given: CallInput<typeof addGroup>['body'],
): Promise<CallAnswer<typeof addGroup>> {
  const { clientUid } = administrator
  await holdDirectory(tx, clientUid)
  const others = await queries.listNamed(tx, clientUid, null)
  const code = given.code?.trim() || freeCode(others)
  const name = readName(given.name)
  requireFree(others, { name, code, active: true })
  const uid = await queries.insertGroup(tx, { clientUid, name, code })
  await tell(tx, administrator, uid, ['name', 'code'])
  return { uid }
}

/** Throws `in_use` while a grant reaches the group: its administrator would reach no one. */
export async function change(
  tx: Tx,
  administrator: Administrator,
  uid: GroupUid,
  { version, in_use: active, ...given }: CallInput<typeof changeGroup>['body'],
): Promise<CallAnswer<typeof changeGroup>> {
  const { clientUid } = administrator
  await holdDirectory(tx, clientUid)
  const held = await requireGroup(tx, clientUid, uid)
  if (held.version !== version)
    throw new Refusal('changed_since', `Someone else changed this at ${held.changedMinute}.`)
  const wanted = { name: readName(given.name), code: given.code?.trim() || held.code, active }
  requireFree(await queries.listNamed(tx, clientUid, uid), wanted)
  if (!active && held.keptBy.length > 0)
    throw new Refusal('in_use', `${held.keptBy.join(', ')} administers this group. Revoke their access first.`)
  const fields = (['name', 'code', 'active'] as const).filter((field) => held[field] !== wanted[field])
  if (fields.length > 0) {
    await queries.updateGroup(tx, { clientUid, uid, ...wanted })
    await tell(tx, administrator, uid, fields)
  }
  return { version: (await requireGroup(tx, clientUid, uid)).version }
}

function readName(text: string): string {
  const name = text.trim()
  if (!name) throw fieldRefusal('invalid_request', 'Name is empty', 'name')
  if (name.length > 200) throw fieldRefusal('invalid_request', 'Name is longer than 200 characters', 'name')
  return name
}

type Named = Pick<queries.StoredGroup, 'name' | 'code' | 'active'>

/** Called under the lock of the directory. */
function requireFree(others: readonly Named[], { name, code, active }: Named): void {
  if (others.some((other) => other.code === code)) throw fieldRefusal('taken', 'This code is already in use.', 'code')
  if (!active) return
  const inUse = others.filter((other) => other.active)
  if (inUse.some((other) => oneName(other.name) === oneName(name)))
    throw fieldRefusal('taken', 'This name is already in use.', 'name')
  if (inUse.length >= groupLimits.groups)
    throw fieldRefusal(
      'invalid_request',
      `There are already ${groupLimits.groups}. Change one of them instead.`,
      'name',
    )
}

/** 'G-001' and so on. */
function freeCode(others: readonly Named[]): string {
  const taken = new Set(others.map(({ code }) => code))
  for (let number = 1; ; number++) {
    const code = `G-${String(number).padStart(3, '0')}`
    if (!taken.has(code)) return code
  }
}

const tell = (tx: Tx, administrator: Administrator, subjectUid: GroupUid, fields: readonly string[]) =>
  record(tx, journalAdministrator(administrator), {
    action: 'group_changed',
    subjectType: 'group',
    subjectUid,
    after: { fields: [...fields] },
  })

/** People into a group, and others out of it, by administrators of the organisation. An unknown person is `not_found`. */
export async function setMembers(
  tx: Tx,
  administrator: Administrator,
  groupUid: GroupUid,
  { add, remove }: CallInput<typeof changeMembers>['body'],
): Promise<CallAnswer<typeof changeMembers>> {
  const { clientUid, reach } = administrator
  if (reach.kind !== 'organisation')
    throw new Refusal('forbidden', 'Only an administrator of the whole organisation can change groups.')
  await holdDirectory(tx, clientUid)
  const group = await requireGroup(tx, clientUid, groupUid)
  if (!group.active) throw new Refusal('not_found')
  const people = [...new Set([...add, ...remove])]
  if ((await queries.countReached(tx, clientUid, within(administrator), people)) < people.length)
    throw new Refusal('not_found')
  const by = journalAdministrator(administrator)
  const removed = await removeMembers(tx, by, { clientUid, groupUid, people: remove })
  const added = await addMembers(tx, by, { clientUid, groupUid, people: add })
  if (group.members - removed + added > groupLimits.members)
    throw new Refusal('invalid_request', `A group can have at most ${groupLimits.members} members.`, ['add'])
  return { added, removed }
}
