import { type Static, Type } from 'typebox'
import { reachKinds } from '#kernel/console-kinds.ts'
import { AdministratorUid, GroupUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

const closed = { additionalProperties: false } as const
const Nullable = Type.Null()
const policy = { access: 'console', right: 'organisation' } as const
const confirmed = { access: 'console', right: 'organisation', confirmed: true } as const

const Person = Type.Object({
  uid: PersonUid,
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.Union([Type.String(), Nullable]),
})

export type AdministratorRow = Static<typeof AdministratorRow>
export const AdministratorRow = Type.Object({
  uid: AdministratorUid,
  person: Person,
  /** The name of the site or group. Null for the whole organisation. */
  reach: Type.Object({ kind: Type.Enum([...reachKinds]), name: Type.Union([Type.String(), Nullable]) }),
  sees_plans: Type.Boolean(),
  /** `invited`: no password yet. `no_second_factor`: it is set up at the next sign-in. */
  state: Type.Enum(['invited', 'no_second_factor', 'ready']),
  last_sign_in: Type.Union([Type.String(), Nullable]),
  is_own: Type.Boolean(),
})

export const listAdministrators = defineCall({
  summary: 'Administrators of the organisation by name, and what a grant can reach',
  method: 'GET',
  path: '/api/console/administrators',
  reply: Type.Object({
    rows: Type.Array(AdministratorRow),
    sites: Type.Array(Type.Object({ uid: SiteUid, name: Type.String() })),
    groups: Type.Array(Type.Object({ uid: GroupUid, name: Type.String() })),
    /** False where no mail is sent: invitations are handed over. */
    sends_mail: Type.Boolean(),
  }),
  policy,
})

export const listCandidates = defineCall({
  summary: 'Active staff by the search of the list of people, up to 20, to appoint one of them',
  method: 'GET',
  path: '/api/console/administrators/candidates',
  query: Type.Object({ q: Type.String({ minLength: 1, maxLength: 100 }) }),
  reply: Type.Array(Person),
  policy,
})

export const appointAdministrator = defineCall({
  summary: 'Make a member of staff an administrator, or change how far their grant reaches',
  method: 'POST',
  path: '/api/console/administrators',
  body: Type.Object(
    {
      person: PersonUid,
      reach: Type.Enum([...reachKinds]),
      /** Needed for the reach `site`, refused otherwise. */
      site: Type.Optional(SiteUid),
      /** Needed for the reach `group`, refused otherwise. */
      group: Type.Optional(GroupUid),
      sees_plans: Type.Boolean(),
    },
    closed,
  ),
  reply: Type.Object({
    uid: AdministratorUid,
    /** Where no mail is sent, who has no password is handed this link. It works once, for seven days. */
    invitation_link: Type.Union([Type.String(), Nullable]),
  }),
  policy: confirmed,
  refusals: ['busy', 'confirm_identity', 'forbidden', 'not_found', 'last_administrator', 'taken'],
})

export const revokeAdministrator = defineCall({
  summary: "End a grant, even the caller's own; its sessions end",
  method: 'POST',
  path: '/api/console/administrators/:uid/revoke',
  params: Type.Object({ uid: AdministratorUid }),
  reply: Type.Object({ status: Type.Literal('revoked') }),
  policy: confirmed,
  refusals: ['confirm_identity', 'not_found', 'last_administrator'],
})

export const resetSecondFactor = defineCall({
  summary: "Remove another administrator's second factor; they set up a new one",
  method: 'POST',
  path: '/api/console/administrators/:uid/reset-second-factor',
  params: Type.Object({ uid: AdministratorUid }),
  reply: Type.Object({ status: Type.Literal('reset') }),
  policy: confirmed,
  refusals: ['confirm_identity', 'forbidden', 'not_found', 'last_administrator'],
})
