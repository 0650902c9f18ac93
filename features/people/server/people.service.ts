import type { listCandidates } from '#features/administrators/calls/administrators.ts'
import type { ClientUid, PersonUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import {
  countedTo,
  type ListName,
  presentPage,
  readSort,
  readSpan,
  requireFile,
  requireSortable,
  type Span,
} from '#server/administrators/list-page.ts'
import { within } from '#server/administrators/reach.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { keyring } from '#server/platform/secrets.ts'
import type { downloadPeople, listPeople, listPeopleChoices, PersonRow } from '../calls/people.ts'
import type { PersonColumn } from '../words.ts'
import { headOf, lineOf } from './list/people-file.ts'
import { orderOf } from './list/people-order.ts'
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
  // a key leads on in its own order only
  const name: ListName = {
    seals: keyring(app.secrets, 'listKeys'),
    clientUid,
    list: ['people', query.sort].filter(Boolean).join(' '),
  }
  const span = readSpan(name, query)
  const { rows, total, order } = await find(app, tx, administrator, query, span)
  const stateOf = await statesOf(app, clientUid, rows)
  return presentPage(name, span, rows, {
    keyOf: (row) => keyOf(row, order),
    present: (row) => present(row, stateOf.get(row.uid), query.contact !== undefined),
    total,
    now: app.now,
  })
}

type Wanted = Omit<CallInput<typeof listPeople>['query'], 'after' | 'before' | 'contact'>

/** The rows of a span within reach, and how many there are in all. */
async function find(app: Reading, tx: Tx, administrator: Administrator, query: Wanted, span: Span) {
  const { clientUid } = administrator
  const isWithin = within(administrator)
  const hasTexts = app.config.smsGateways.length > 0
  const without = query.sign_in && (await queries.listWithoutSignIn(app.system, clientUid, hasTexts, mostWithoutSignIn))
  const filters = { ...query, only: without }
  const where = queries.wherePeople(clientUid, isWithin, filters)
  const search = readSearch(query.q, await queries.findCountry(tx, clientUid))
  const matches = search && (await queries.searchPeople(tx, clientUid, where, search, mostMatches + 1))
  const shown = matches ? queries.wherePeople(clientUid, isWithin, { state: 'all', only: matches }) : where
  const isTooMany = matches !== undefined && matches.length > mostMatches
  const total = matches ? matches.length : await queries.countPeople(tx, clientUid, isWithin, filters)
  const sort = readSort<'name' | PersonColumn>(query.sort)
  requireSortable(sort.column, total, 'people')
  const states =
    sort.column === 'sign_in'
      ? await queries.listSignInStates(app.system, clientUid, await queries.listUids(tx, shown, countedTo), hasTexts)
      : []
  const order = orderOf(sort, states)
  return { rows: isTooMany ? [] : await queries.listPage(tx, shown, span, order), total, order, isTooMany }
}

async function statesOf({ system, config }: Reading, clientUid: ClientUid, rows: readonly { uid: PersonUid }[]) {
  const uids = rows.map(({ uid }) => uid)
  const states = await queries.listSignInStates(system, clientUid, uids, config.smsGateways.length > 0)
  return new Map(states.map(({ uid, state }) => [uid, state]))
}

const rowsOfChunk = 2_000

/** The list as CSV. The caller answers after the commit, so that none leaves without its entry. */
export async function writeFile(
  app: Reading,
  tx: Tx,
  administrator: Administrator,
  { columns, ...query }: CallInput<typeof downloadPeople>['body'],
): Promise<CallAnswer<typeof downloadPeople>> {
  const { clientUid } = administrator
  const wanted = [...new Set(columns)]
  const hasState = query.state !== undefined
  const lines = [headOf(wanted, hasState)]
  let key: string[] | null = null
  do {
    const span = { key, isBackwards: false, limit: rowsOfChunk }
    const { rows, order, total, isTooMany } = await find(app, tx, administrator, query, span)
    requireFile(isTooMany ? Number.POSITIVE_INFINITY : total)
    const stateOf = await statesOf(app, clientUid, rows)
    for (const row of rows) lines.push(lineOf(row, stateOf.get(row.uid), wanted, hasState))
    const last = rows.at(-1)
    key = last && rows.length === rowsOfChunk ? keyOf(last, order) : null
  } while (key)
  const { q: _, ...filters } = query
  await record(tx, journalAdministrator(administrator), {
    action: 'data_exported',
    subjectType: 'administrator',
    subjectUid: administrator.administratorUid,
    after: { list: 'people', people: lines.length - 1, columns: wanted, ...filters },
  })
  return { csv: lines.join('') }
}

const keyOf = ({ sortValue, lastName, firstName, uid }: queries.PersonListRow, { by }: queries.Order) => [
  ...(by ? [sortValue] : []),
  ...[lastName, firstName, uid],
]

/** Active staff within reach whom no event counts. */
export const countWithoutFloor = (tx: Tx, administrator: Administrator) =>
  queries.countPeople(tx, administrator.clientUid, within(administrator), { place: 'none' })

const present = (
  { uid, firstName, lastName, active, kind, visitDate, place, groups, roles, email, mobile }: queries.PersonListRow,
  signIn: PersonRow['sign_in'] = 'none',
  hasContact: boolean,
): PersonRow => ({
  uid,
  first_name: firstName,
  last_name: lastName,
  active,
  kind,
  visit_date: visitDate,
  place,
  groups,
  roles,
  sign_in: signIn,
  ...(hasContact && { email, mobile: mobile && `+${mobile}` }),
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
    uid,
    first_name: firstName,
    last_name: lastName,
    email,
  }))
}

/** By what people are filtered. */
export const listChoices = (tx: Tx, administrator: Administrator): Promise<CallAnswer<typeof listPeopleChoices>> =>
  queries.findChoices(tx, administrator.clientUid, within(administrator))
