import { type Static, Type } from 'typebox'
import { commandOrder } from '#features/command/kinds.ts'
import { callings } from '#features/reach/kinds.ts'
import { listOf, listQuery, sortBy } from '#kernel/console-list.ts'
import { AssignmentUid, BuildingUid, FloorUid, PersonUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import { longestReason } from '#kernel/limits.ts'
import { defineCall } from '#kernel/route.ts'
import { Day } from '#kernel/vocabulary.schemas.ts'
import { moduleFlags } from '#kernel/vocabulary.ts'

const closed = { additionalProperties: false } as const
const Nullable = Type.Null()
const policy = { access: 'console', right: 'wardens' } as const

const Version = Type.String({ maxLength: 80 })
const Name = Type.String({ maxLength: 300 })
const Domain = Type.Enum(['Site', 'Building', 'Floor', 'Area'])
/** Without the prefix 'Module_', as import files write them. */
const Modules = Type.Array(Type.Enum(moduleFlags.map((flag) => flag.replace('Module_', ''))), {
  maxItems: moduleFlags.length,
})
const Count = Type.Integer({ minimum: 0 })
/** Place in the chain of command. Null: last. */
const CommandOrder = Type.Union([Type.Integer({ minimum: commandOrder.least, maximum: commandOrder.most }), Nullable])
/** 'second': called at the start only if no one else answers. */
const Called = Type.Enum([...callings])
const done = Type.Object({ status: Type.Literal('done') })

export type RoleRow = Static<typeof RoleRow>
export const RoleRow = Type.Object({
  uid: WardenRoleUid,
  code: Type.String(),
  name: Type.String(),
  domain: Domain,
  modules: Type.Array(Type.String()),
  command_order: CommandOrder,
  called: Called,
  /** False: offered no more. */
  in_use: Type.Boolean(),
  /** Offered or accepted assignments that are not past. */
  holders: Count,
  /** True once someone had it: then the domain is fixed. */
  was_assigned: Type.Boolean(),
  /** The site of a running event where a holder is on duty: modules are not taken away there. */
  on_duty_at: Type.Union([Type.String(), Nullable]),
  version: Type.String(),
})

export const listRoles = defineCall({
  summary: 'Roles by name, with their modules and how many hold them',
  method: 'GET',
  path: '/api/console/roles',
  reply: Type.Object({
    rows: Type.Array(RoleRow),
    /** Sites where no one who has accepted Event_Management is in date today. */
    without_manager: Type.Array(Type.Object({ uid: SiteUid, name: Type.String() })),
    /** True for administrators of the whole organisation: a role belongs to all sites. */
    may_change: Type.Boolean(),
  }),
  policy,
})

export const addRole = defineCall({
  summary: 'Add a role',
  method: 'POST',
  path: '/api/console/roles',
  body: Type.Object(
    {
      name: Name,
      domain: Domain,
      modules: Modules,
      command_order: Type.Optional(CommandOrder),
      called: Type.Optional(Called),
    },
    closed,
  ),
  reply: Type.Object({ uid: WardenRoleUid }),
  policy,
  refusals: ['forbidden', 'taken', 'busy'],
})

export const changeRole = defineCall({
  summary: 'Change a role; its domain while no one has had it; modules are not taken from who is on duty',
  method: 'POST',
  path: '/api/console/roles/:uid',
  params: Type.Object({ uid: WardenRoleUid }),
  body: Type.Object(
    {
      version: Version,
      name: Name,
      domain: Domain,
      modules: Modules,
      in_use: Type.Boolean(),
      /** Additive. Without it what stands is kept. */
      command_order: Type.Optional(CommandOrder),
      called: Type.Optional(Called),
    },
    closed,
  ),
  reply: done,
  policy,
  refusals: ['forbidden', 'not_found', 'in_event', 'in_use', 'changed_since', 'taken', 'busy'],
})

export const assignmentStates = ['offered', 'accepted', 'upcoming', 'past', 'declined', 'withdrawn'] as const
export type AssignmentState = (typeof assignmentStates)[number]

const Named = <Uid extends typeof PersonUid | typeof WardenRoleUid | typeof SiteUid>(uid: Uid) =>
  Type.Object({ uid, name: Type.String() })

export type AssignmentRow = Static<typeof AssignmentRow>
export const AssignmentRow = Type.Object({
  uid: AssignmentUid,
  person: Type.Object({ uid: PersonUid, first_name: Type.String(), last_name: Type.String() }),
  role: Type.Object({ uid: WardenRoleUid, name: Type.String(), domain: Domain }),
  site: Named(SiteUid),
  /** Empty for a role of the whole site. */
  places: Type.Array(Type.Object({ uid: Type.Union([BuildingUid, FloorUid]), name: Type.String() })),
  from: Day,
  to: Day,
  state: Type.Enum([...assignmentStates]),
  /** Why it was declined or withdrawn. */
  reason: Type.Union([Type.String(), Nullable]),
  /** On duty in the running event of the site: an end waits. */
  is_on_duty: Type.Boolean(),
  /** Its end waits already. */
  is_waiting: Type.Boolean(),
  version: Type.String(),
})

export const assignmentColumns = ['role', 'where', 'days', 'state'] as const

const filters = {
  site: Type.Optional(SiteUid),
  role: Type.Optional(WardenRoleUid),
  person: Type.Optional(PersonUid),
  state: Type.Optional(Type.Enum([...assignmentStates])),
  /** In date on this day. */
  day: Type.Optional(Day),
  sort: sortBy(['name', ...assignmentColumns]),
}

export const listAssignments = defineCall({
  summary: 'Assignments by name of the person, 50 a page, with state and answer',
  method: 'GET',
  path: '/api/console/assignments',
  query: Type.Object({ ...listQuery, ...filters }),
  reply: listOf(AssignmentRow),
  policy,
  refusals: ['not_found'],
})

export const downloadAssignments = defineCall({
  summary: 'The list as a CSV file, without what people wrote. It stands in the audit log',
  method: 'POST',
  path: '/api/console/assignments/file',
  body: Type.Object({ q: listQuery.q, ...filters }, closed),
  /** UTF-8 with a byte order mark. */
  reply: Type.Object({ csv: Type.String() }),
  policy: { ...policy, confirmed: true },
  refusals: ['not_found', 'confirm_identity'],
})

export const offerRole = defineCall({
  summary: 'Offer a role to up to 50 people, or enter it as accepted',
  method: 'POST',
  path: '/api/console/assignments/offer',
  body: Type.Object(
    {
      people: Type.Array(PersonUid, { minItems: 1, maxItems: 50 }),
      role: WardenRoleUid,
      site: SiteUid,
      /** Buildings for a role of buildings, floors and areas for the others, none for a role of the site. */
      places: Type.Array(Type.String({ format: 'uuid' }), { maxItems: 500 }),
      /** In place of `places`, for a role of floors: each gets the floor on which they are counted. */
      own_floors: Type.Optional(Type.Boolean()),
      from: Day,
      to: Day,
      /** 'They have already agreed.' */
      accepted: Type.Boolean(),
      /** 'Tell them by email or text'. */
      tell: Type.Boolean(),
    },
    closed,
  ),
  reply: Type.Object({ offered: Count, told: Count }),
  policy,
  refusals: ['not_found', 'taken', 'busy'],
})

export const changeAssignment = defineCall({
  summary: 'Change days and places of an offered or accepted assignment',
  method: 'POST',
  path: '/api/console/assignments/:uid',
  params: Type.Object({ uid: AssignmentUid }),
  body: Type.Object(
    {
      version: Version,
      from: Day,
      to: Day,
      places: Type.Array(Type.String({ format: 'uuid' }), { maxItems: 500 }),
    },
    closed,
  ),
  reply: done,
  policy,
  refusals: ['not_found', 'invalid_transition', 'in_event', 'changed_since', 'taken', 'busy'],
})

export const withdrawAssignment = defineCall({
  summary: 'Withdraw an offered or accepted assignment; of a warden on duty it waits',
  method: 'POST',
  path: '/api/console/assignments/:uid/withdraw',
  params: Type.Object({ uid: AssignmentUid }),
  body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: longestReason * 2 }) }, closed),
  reply: Type.Object({ status: Type.Enum(['done', 'waiting']) }),
  policy,
  refusals: ['not_found', 'invalid_transition', 'busy'],
})
