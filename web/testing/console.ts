import { type AdministratorRow, listAdministrators } from '#features/administrators/calls/administrators.ts'
import { getNow } from '#features/assignments/calls/waiting.ts'
import { listRoles } from '#features/assignments/calls/wardens.ts'
import { listSignInChanges, readSignInOrigins } from '#features/authority/calls.ts'
import { acts } from '#features/authority/table.ts'
import { getOverview } from '#features/organisation/calls/overview.ts'
import { listDuplicates } from '#features/people/calls/duplicates.ts'
import { listPeople, listPeopleChoices, type Person, type PersonRow } from '#features/people/calls/people.ts'
import { getMe, type Me } from '#features/sign-in/calls/console-sign-in.ts'
import { consoleRights } from '#kernel/console-kinds.ts'
import type { AdministratorUid, ClientUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import { consoleEndedStore, consoleTokenStore, openConsole } from '../session/console-session.ts'
import type { FakeServer } from './fake-server.ts'

const uid = (n: number) => `00000000-0000-4000-8000-00000000f${String(n).padStart(3, '0')}`

export const someMe = (over: Partial<Me> = {}): Me => ({
  person: { uid: uid(1) as PersonUid, first_name: 'Nora', last_name: 'Lindqvist' },
  organisation: { uid: uid(2) as ClientUid, name: 'Harbour Property Group', timezone: 'Australia/Sydney' },
  reach: { kind: 'organisation', name: null },
  sees_plans: true,
  rights: [...consoleRights],
  organisations: [],
  recovery_codes_left: 10,
  ...over,
})
export const quay = { uid: uid(30) as SiteUid, name: 'Harbour Quarter' }
export const otherOrganisation = { uid: uid(3) as ClientUid, name: 'Riverside Hospital' }

export const administrator = (n: number, over: Partial<AdministratorRow> = {}): AdministratorRow => ({
  uid: uid(100 + n) as AdministratorUid,
  person: { uid: uid(200 + n) as PersonUid, first_name: 'Admin', last_name: `${n}`, email: `admin${n}@harbour.test` },
  reach: { kind: 'organisation', name: null },
  sees_plans: false,
  state: 'ready',
  last_sign_in: null,
  is_own: false,
  ...over,
})
export const personRow = (n: number, over: Partial<PersonRow> = {}): PersonRow => ({
  uid: uid(300 + n) as PersonUid,
  first_name: 'Person',
  last_name: String(n).padStart(4, '0'),
  active: true,
  kind: 'staff',
  visit_date: null,
  place: 'Tower A - Level 3',
  groups: [],
  roles: [],
  sign_in: 'none',
  ...over,
})
/** What an administrator may do to a person: everything, unless said otherwise. */
export const someAuthority = (over: Partial<Person['authority']> = {}): Person['authority'] => ({
  ...(Object.fromEntries(acts.map((act) => [act, mayDo])) as Person['authority']),
  ...over,
})
export const mayDo = { refusal: null, ends_plans: false, keeps_own: false, needs_code: false }

export const somePerson = (over: Partial<Person> = {}): Person => ({
  uid: personRow(1).uid,
  version: 'v1',
  changed_at: '2026-11-22T23:42:07.000Z',
  active: true,
  first_name: 'Kim',
  last_name: 'Lee',
  code: 'P-000001',
  email: 'kim@a.test',
  mobile: null,
  second_mobile: null,
  username: null,
  kind: 'staff',
  building: null,
  floor: null,
  visit_date: null,
  groups: [],
  assignments: [],
  plan: null,
  on_duty_at: null,
  may_change_sign_in: true,
  authority: someAuthority(),
  in_event_at: null,
  merged_into: null,
  sign_in: {
    ways: [],
    is_needed: false,
    has_password: false,
    last_sign_in: null,
    sessions: 0,
    invited: null,
    second_factor: null,
    acts: [],
  },
  ...over,
})
/** A page of a list, alone unless said otherwise. */
export const listPage = <Row>(rows: Row[], more: { before?: string; after?: string; total?: number } = {}) => ({
  rows,
  total: more.total ?? rows.length,
  more: { before: more.before ?? null, after: more.after ?? null },
  asOf: '2026-11-22T23:42:07.000Z',
})

const noSteps = {
  places: false,
  people: false,
  wardens: false,
  plans: false,
  templates: false,
  second_administrator: false,
}

/** A server that knows this administrator. Nothing happens, and one step is open. */
export function serveConsole(server: Pick<FakeServer, 'answer'>, me: Me = someMe()) {
  server.answer(getMe, me)
  server.answer(getNow, { events: [], waiting: [] })
  server.answer(getOverview, {
    steps: noSteps,
    steps_aside: [],
    floors_without_warden: 0,
    people_without_floor: 0,
    plans_to_review: 0,
    no_texts: null,
  })
  server.answer(readSignInOrigins, [])
  server.answer(listSignInChanges, { rows: [], total: 0, own: { changes: [], contact: 'Harbour Property Group' } })
  server.answer(listRoles, { rows: [], without_manager: [], may_change: true })
  server.answer(listPeople, listPage([]))
  server.answer(listDuplicates, listPage([]))
  server.answer(listPeopleChoices, { sites: [quay], buildings: [], groups: [] })
  server.answer(listAdministrators, {
    rows: [administrator(1, { is_own: true, sees_plans: true }), administrator(2)],
    sites: [quay],
    groups: [],
    sends_mail: true,
  })
}

/** Signed in to the console, or not. */
export function givenConsole(token: string | null) {
  if (token) return openConsole({ access_token: token, me: someMe() })
  localStorage.removeItem('console')
  consoleEndedStore.set(false)
  consoleTokenStore.set(null)
}
