import type { listCandidates } from '#features/administrators/calls/administrators.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import { type ListName, presentPage, readSpan } from '#server/administrators/list-page.ts'
import { within } from '#server/administrators/reach.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import type { listPeople, listPeopleChoices, PersonRow } from '../calls/people.ts'
import * as queries from './people.queries.ts'
import { readSearch } from './search.ts'

/** Over so many matches a search has no rows. */
const mostMatches = 200

/** Active people beyond this number who cannot sign in are left out of the filter: no one goes through them by hand. */
const mostWithoutSignIn = 10_000

/** Staff that a search for someone to appoint answers. */
const mostCandidates = 20

type Reading = Pick<Services, 'system' | 'secrets' | 'config'> & { now: Date }

/** A page of people within reach. */
export async function list(
  app: Reading,
  tx: Tx,
  administrator: Administrator,
  query: CallInput<typeof listPeople>['query'],
): Promise<CallAnswer<typeof listPeople>> {
  const { clientUid } = administrator
  const name: ListName = { seal: app.secrets.listKeys, clientUid, list: 'people' }
  const span = readSpan(name, query)
  const isWithin = within(administrator)
  const hasTexts = app.config.smsGateways.length > 0
  const without = query.sign_in && (await queries.listWithoutSignIn(app.system, clientUid, hasTexts, mostWithoutSignIn))
  const filters = { ...query, only: without }
  const where = queries.wherePeople(clientUid, isWithin, filters)
  const search = readSearch(query.q, await queries.findCountry(tx, clientUid))
  const matches = search && (await queries.searchPeople(tx, clientUid, where, search, mostMatches + 1))
  const shown = matches ? queries.wherePeople(clientUid, isWithin, { state: 'all', only: matches }) : where
  const isTooMany = matches !== undefined && matches.length > mostMatches
  const rows = isTooMany ? [] : await queries.listPage(tx, shown, span)
  const states = await queries.listSignInStates(
    app.system,
    clientUid,
    rows.map(({ uid }) => uid),
    hasTexts,
  )
  const stateOf = new Map(states.map(({ uid, state }) => [uid, state]))
  return presentPage(name, span, rows, {
    keyOf: ({ lastName, firstName, uid }) => [lastName, firstName, uid],
    present: (row) => present(row, stateOf.get(row.uid)),
    total: matches ? matches.length : await queries.countPeople(tx, clientUid, isWithin, filters),
    now: app.now,
  })
}

/** Active staff within reach whom no event counts. */
export const countWithoutFloor = (tx: Tx, administrator: Administrator) =>
  queries.countPeople(tx, administrator.clientUid, within(administrator), { place: 'none' })

const present = (
  { uid, firstName, lastName, active, kind, visitDate, place, groups, roles }: queries.PersonListRow,
  signIn: PersonRow['sign_in'] = 'none',
): PersonRow => ({
  ...{ uid, first_name: firstName, last_name: lastName, active, kind, visit_date: visitDate, place, groups, roles },
  sign_in: signIn,
})

/** Who may be appointed, by the search of the list of people. */
export async function findCandidates(
  tx: Tx,
  administrator: Administrator,
  text: string,
): Promise<CallAnswer<typeof listCandidates>> {
  const { clientUid } = administrator
  const search = readSearch(text, await queries.findCountry(tx, clientUid))
  if (!search) return []
  const where = queries.wherePeople(clientUid, within(administrator), { kind: 'staff' })
  const matches = await queries.searchPeople(tx, clientUid, where, search, mostMatches + 1)
  const rows = await queries.listCandidates(tx, clientUid, matches, mostCandidates)
  return rows.map(({ uid, firstName, lastName, email }) => ({
    ...{ uid, first_name: firstName, last_name: lastName, email },
  }))
}

/** By what people are filtered. */
export const listChoices = (tx: Tx, administrator: Administrator): Promise<CallAnswer<typeof listPeopleChoices>> =>
  queries.findChoices(tx, administrator.clientUid, within(administrator))
