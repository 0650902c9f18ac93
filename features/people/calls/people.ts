import { type Static, Type } from 'typebox'
import { type Act, acts } from '#features/authority/table.ts'
import { listOf, listQuery, sortBy } from '#kernel/console-list.ts'
import { BuildingUid, FloorUid, GroupUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { type PersonColumn, personColumns } from '../words.ts'

const policy = { access: 'console', right: 'people' } as const
const Nullable = Type.Null()
const closed = { additionalProperties: false } as const

/** `none`: neither an assignment nor a grant asks for it. `invited`: an open invitation, no password yet. */
export const signInStates = ['none', 'ready', 'invited', 'cannot'] as const

export type PersonRow = Static<typeof PersonRow>
export const PersonRow = Type.Object({
  uid: PersonUid,
  first_name: Type.String(),
  last_name: Type.String(),
  active: Type.Boolean(),
  kind: Type.Enum(['staff', 'visitor']),
  /** The day of a visitor, YYYY-MM-DD. */
  visit_date: Type.Union([Type.String(), Nullable]),
  /** 'Building - Floor', or the building of a visitor without a floor. */
  place: Type.Union([Type.String(), Nullable]),
  groups: Type.Array(Type.String()),
  /** Names of the roles of accepted assignments that are not past. */
  roles: Type.Array(Type.String()),
  sign_in: Type.Enum([...signInStates]),
  /** With `contact` only. */
  email: Type.Optional(Type.Union([Type.String(), Nullable])),
  /** With `contact` only. With country code: '+61491000001'. */
  mobile: Type.Optional(Type.Union([Type.String(), Nullable])),
})

const columns = Object.keys(personColumns) as PersonColumn[]

const filters = {
  /** A site, building or floor, or `none` for active staff without a floor. */
  place: Type.Optional(Type.Union([Type.Literal('none'), Type.String({ format: 'uuid' })])),
  group: Type.Optional(GroupUid),
  kind: Type.Optional(Type.Enum(['staff', 'visitor'])),
  /** Without it the active ones. */
  state: Type.Optional(Type.Enum(['inactive', 'all'])),
  /** `wardens`: with an accepted assignment that is not past. */
  wardens: Type.Optional(Type.Literal('yes')),
  /** `cannot`: wardens and administrators who have no way to sign in. */
  sign_in: Type.Optional(Type.Literal('cannot')),
  /** `cannot`: without a number that takes texts, and without an email. */
  reach: Type.Optional(Type.Literal('cannot')),
  /** By a column, downwards with '-'. Beyond 10,000 people by name only, as without it. */
  sort: sortBy(['name', ...columns]),
}

export const listPeople = defineCall({
  summary: 'People by last, then first name, 50 a page; a search with over 200 matches has no rows',
  method: 'GET',
  path: '/api/console/people',
  query: Type.Object({
    ...listQuery,
    ...filters,
    /** Emails and mobiles, too. */
    contact: Type.Optional(Type.Literal('yes')),
  }),
  reply: listOf(PersonRow),
  policy,
})

export const downloadPeople = defineCall({
  summary: 'The list as a CSV file, with the given columns. It stands in the audit log',
  method: 'POST',
  path: '/api/console/people/file',
  body: Type.Object(
    { q: listQuery.q, ...filters, columns: Type.Array(Type.Enum(columns), { maxItems: columns.length }) },
    closed,
  ),
  /** UTF-8 with a byte order mark. */
  reply: Type.Object({ csv: Type.String() }),
  policy: { ...policy, confirmed: true },
  refusals: ['confirm_identity'],
})

export const listPeopleChoices = defineCall({
  summary: 'The sites, buildings and groups by which people are filtered, within reach',
  method: 'GET',
  path: '/api/console/people/choices',
  reply: Type.Object({
    sites: Type.Array(Type.Object({ uid: SiteUid, name: Type.String() })),
    buildings: Type.Array(Type.Object({ uid: BuildingUid, name: Type.String(), site: SiteUid })),
    groups: Type.Array(Type.Object({ uid: GroupUid, name: Type.String() })),
  }),
  policy,
})

export const listFloorChoices = defineCall({
  summary: 'The floors of a building, for the place of a person',
  method: 'GET',
  path: '/api/console/people/floors',
  query: Type.Object({ building: BuildingUid }),
  reply: Type.Array(Type.Object({ uid: FloorUid, name: Type.String() })),
  policy,
  refusals: ['not_found'],
})

const Text = Type.Union([Type.String(), Nullable])

export const ways = ['password', 'mobile link'] as const
/** What an administrator may do about the sign-in of a person. */
export const signInActs = ['invite', 'show_invitation', 'password_link', 'sign_out'] as const

const ActOn = Type.Object({
  /** Null if the caller may. */
  refusal: Text,
  /** The person's permission to see plans ends. */
  ends_plans: Type.Boolean(),
  /** The person keeps their own sign-in, email and mobile. */
  keeps_own: Type.Boolean(),
  /** A code is asked for. */
  needs_code: Type.Boolean(),
})

/** What an administrator sees of a person. */
export type Person = Static<typeof Person>
export const Person = Type.Object({
  uid: PersonUid,
  /** Stands for this state of the person. A change sends it back. */
  version: Type.String(),
  /** When the person or the account was last changed, ISO 8601. */
  changed_at: Type.String(),
  active: Type.Boolean(),
  first_name: Type.String(),
  last_name: Type.String(),
  code: Type.String(),
  email: Text,
  /** With country code: '+61491000001'. */
  mobile: Text,
  /** As the mobile: another phone, which is called where the first does not answer. */
  second_mobile: Text,
  username: Text,
  kind: Type.Enum(['staff', 'visitor']),
  building: Type.Union([Type.Object({ uid: BuildingUid, name: Type.String() }), Nullable]),
  floor: Type.Union([Type.Object({ uid: FloorUid, name: Type.String() }), Nullable]),
  visit_date: Text,
  groups: Type.Array(Type.Object({ uid: GroupUid, name: Type.String() })),
  assignments: Type.Array(
    Type.Object({
      role: Type.String(),
      site: Type.String(),
      date_from: Type.String(),
      date_to: Type.String(),
      status: Type.Enum(['Offered', 'Accepted', 'Declined', 'Withdrawn']),
    }),
  ),
  /** How the plan stands, without its text. Null without a plan, and for administrators without the Plans permission. */
  plan: Type.Union([
    Type.Object({ review_on: Text, is_overdue: Type.Boolean(), has_consent: Type.Boolean() }),
    Nullable,
  ]),
  /** The site of the running event in which the person is on duty. */
  on_duty_at: Text,
  /** The site of the running event that counts the person, or has them as a warden. Until it has ended no one merges or erases them. */
  in_event_at: Text,
  /** Who stayed when the person was merged into someone. */
  merged_into: Type.Union([Type.Object({ uid: PersonUid, name: Type.String() }), Nullable]),
  sign_in: Type.Object({
    ways: Type.Array(Type.Enum([...ways])),
    /** An assignment or a grant asks for a way to sign in. */
    is_needed: Type.Boolean(),
    has_password: Type.Boolean(),
    last_sign_in: Text,
    /** Phones of the warden side that are signed in. */
    sessions: Type.Integer(),
    invited: Type.Union([Type.Object({ at: Type.String(), by: Text }), Nullable]),
    /** Null for a person without a grant. */
    second_factor: Type.Union([Type.Boolean(), Nullable]),
    acts: Type.Array(Type.Enum([...signInActs])),
  }),
  /** What the caller may do to this person, by act. */
  authority: Type.Object(Object.fromEntries(acts.map((act) => [act, ActOn])) as Record<Act, typeof ActOn>),
  /** False if the caller may not change email, mobile and user name. */
  may_change_sign_in: Type.Boolean(),
})

export const getPerson = defineCall({
  summary: 'A person with assignments, groups and how they sign in',
  method: 'GET',
  path: '/api/console/people/:uid',
  params: Type.Object({ uid: PersonUid }),
  reply: Person,
  policy,
  refusals: ['not_found'],
})

const cell = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
/** Cells of the import format, as typed. An empty text clears. */
const fields = {
  first_name: cell(200),
  last_name: cell(200),
  /** Empty for a new person: made, 'P-000001' and so on. */
  code: cell(200),
  email: cell(254),
  mobile: cell(40),
  second_mobile: cell(40),
  username: cell(200),
  kind: Type.Optional(Type.Enum(['staff', 'visitor'])),
  /** A floor, or for visitors a building. Null: nowhere. */
  place: Type.Optional(Type.Union([FloorUid, BuildingUid, Nullable])),
  /** YYYY-MM-DD or `today`. */
  visit_date: cell(20),
}

export const addPerson = defineCall({
  summary: 'Add a person by the rules of an import',
  method: 'POST',
  path: '/api/console/people',
  body: Type.Object(
    {
      ...fields,
      /** Of the organisation, for its administrators. Who administers a group adds to that group. */
      groups: Type.Optional(Type.Array(GroupUid, { maxItems: 50 })),
    },
    closed,
  ),
  reply: Type.Object({ uid: PersonUid }),
  policy,
  refusals: ['busy', 'not_found', 'beyond_reach', 'forbidden', 'confirm_identity'],
})

export const changePerson = defineCall({
  summary: 'Change the given fields of a person by the rules of an import',
  method: 'POST',
  path: '/api/console/people/:uid',
  params: Type.Object({ uid: PersonUid }),
  body: Type.Object(
    {
      version: Type.String({ minLength: 1, maxLength: 100 }),
      ...fields,
      /** A new address ends the permission of its holder to see plans, unless someone who has it too gives it again. */
      keep_plans_permission: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  reply: Type.Object({ version: Type.String() }),
  policy,
  refusals: [
    ...(['busy', 'not_found', 'forbidden', 'changed_since', 'last_administrator', 'in_event'] as const),
    ...(['beyond_reach', 'confirm_identity', 'invalid_transition'] as const),
  ],
})

export const deactivatePerson = defineCall({
  summary: 'Take a person out of use: sessions end, assignments no longer count, history stays',
  method: 'POST',
  path: '/api/console/people/:uid/deactivate',
  params: Type.Object({ uid: PersonUid }),
  /** `waits`: a warden on duty, until they leave their post. */
  reply: Type.Object({ status: Type.Enum(['deactivated', 'waits']) }),
  policy,
  refusals: ['busy', 'not_found', 'forbidden', 'last_administrator', 'beyond_reach', 'confirm_identity'],
})

export const reactivatePerson = defineCall({
  summary: 'Restore a person with assignments, groups and plan as they were',
  method: 'POST',
  path: '/api/console/people/:uid/reactivate',
  params: Type.Object({ uid: PersonUid }),
  reply: Type.Object({ status: Type.Literal('reactivated') }),
  policy,
  refusals: ['busy', 'not_found', 'forbidden', 'invalid_transition', 'beyond_reach', 'confirm_identity'],
})
