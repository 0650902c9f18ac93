import { type Static, Type } from 'typebox'
import { BuildingUid, GroupUid, PersonUid, SiteUid } from '../../ids.ts'
import { defineCall } from '../../route.ts'
import { listOf, listQuery } from './list.ts'

const policy = { access: 'console', right: 'people' } as const
const Nullable = Type.Null()

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
})

export const listPeople = defineCall({
  summary: 'People by last, then first name, 50 a page; a search with over 200 matches has no rows (PPL-04, PPL-05)',
  method: 'GET',
  path: '/api/console/people',
  query: Type.Object({
    ...listQuery,
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
  }),
  reply: listOf(PersonRow),
  policy,
})

export const listPeopleChoices = defineCall({
  summary: 'The sites, buildings and groups by which people are filtered, within reach (PPL-04)',
  method: 'GET',
  path: '/api/console/people/choices',
  reply: Type.Object({
    sites: Type.Array(Type.Object({ uid: SiteUid, name: Type.String() })),
    buildings: Type.Array(Type.Object({ uid: BuildingUid, name: Type.String(), site: SiteUid })),
    groups: Type.Array(Type.Object({ uid: GroupUid, name: Type.String() })),
  }),
  policy,
})
