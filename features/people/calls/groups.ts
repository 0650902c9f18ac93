import { type Static, Type } from 'typebox'
import { groupLimits } from '#kernel/console-kinds.ts'
import { listOf, listQuery } from '#kernel/console-list.ts'
import { GroupUid, PersonUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

const closed = { additionalProperties: false } as const
const policy = { access: 'console', right: 'organisation' } as const
const Name = Type.String({ maxLength: 300 })
/** Import files name the group by it. Empty or left out: a new group gets one, another one keeps its own. */
const Code = Type.Optional(Type.String({ maxLength: 100 }))
const Version = Type.String({ minLength: 1, maxLength: 40 })
const params = Type.Object({ uid: GroupUid })

export type GroupRow = Static<typeof GroupRow>
export const GroupRow = Type.Object({
  uid: GroupUid,
  /** Of the row that was read. A change sends it back. */
  version: Type.String(),
  name: Type.String(),
  code: Type.String(),
  in_use: Type.Boolean(),
  /** Active and inactive people. */
  members: Type.Integer({ minimum: 0 }),
  /** Names of the administrators whose reach is this group, by last name. */
  kept_by: Type.Array(Type.String()),
})

export const listGroups = defineCall({
  summary: 'Groups by name, 50 a page; a search is the beginning of a name or code',
  method: 'GET',
  path: '/api/console/groups',
  query: Type.Object({
    ...listQuery,
    /** Without it those in use. */
    state: Type.Optional(Type.Enum(['out', 'all'])),
  }),
  reply: listOf(GroupRow),
  policy,
})

export const getGroup = defineCall({
  summary: 'A group; its members are people with the filter `group`',
  method: 'GET',
  path: '/api/console/groups/:uid',
  params,
  reply: Type.Object({
    ...GroupRow.properties,
    /** ISO 8601 */
    changed_at: Type.String(),
  }),
  policy,
  refusals: ['not_found'],
})

export const addGroup = defineCall({
  summary: `Add a group, up to ${groupLimits.groups}; no two in use share a name`,
  method: 'POST',
  path: '/api/console/groups',
  body: Type.Object({ name: Name, code: Code }, closed),
  reply: Type.Object({ uid: GroupUid }),
  policy,
  refusals: ['busy', 'taken'],
})

export const changeGroup = defineCall({
  summary: 'Rename a group, or take it out of use, which is refused while an administrator has it as reach',
  method: 'POST',
  path: '/api/console/groups/:uid',
  params,
  body: Type.Object({ version: Version, name: Name, code: Code, in_use: Type.Boolean() }, closed),
  reply: Type.Object({ version: Type.String() }),
  policy,
  refusals: ['busy', 'not_found', 'taken', 'changed_since', 'in_use'],
})

const People = Type.Array(PersonUid, { maxItems: groupLimits.peopleOfChange })

export const changeMembers = defineCall({
  summary: 'Add people to a group and remove others; adding twice or removing no one is not an error',
  method: 'POST',
  path: '/api/console/groups/:uid/members',
  params,
  body: Type.Object({ add: People, remove: People }, closed),
  /** How many were no members before, and how many are none any more. */
  reply: Type.Object({ added: Type.Integer(), removed: Type.Integer() }),
  policy,
  refusals: ['busy', 'not_found'],
})
