import type { SelfReportUid } from '#kernel/ids.ts'
import { pageSize } from '#kernel/limits.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import { hmac } from '#server/platform/secrets.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import type { listReports, ReportGroup, SelfReport } from '../calls.ts'
import { reportLimits } from '../kinds.ts'
import { countByNetwork, type EventOf, type NetworkRow, type Networks } from './match-person.queries.ts'
import * as queries from './reports.queries.ts'
import { readTextsFrame } from './texts/text-reports.queries.ts'

export const eventOf = ({ clientUid, event }: DutyActor): EventOf => ({ clientUid, eventUid: event.uid })

/** What names a network in the calls: it tells no address, and means nothing in another event. */
const nameOf = (key: Uint8Array, { eventUid }: EventOf, network: string) =>
  hmac(key, `${eventUid}/${network}`).slice(0, 22)

const isGrouped = ({ count }: NetworkRow) => count > reportLimits.ofOneNetwork

/** Throws `not_found` for a group that is none of the event. */
export async function networksOf(
  tx: Tx,
  key: Uint8Array,
  of: EventOf,
  asked: string | undefined,
): Promise<Networks & { rows: NetworkRow[] }> {
  const rows = await countByNetwork(tx, of)
  const but = rows.filter(isGrouped).map(({ network }) => network)
  if (asked === undefined) return { only: null, but, rows }
  const only = rows.find(({ network }) => nameOf(key, of, network) === asked)?.network
  if (only === undefined) throw new Refusal('not_found')
  return { only, but, rows }
}

export async function presentReports(
  tx: Tx,
  actor: DutyActor,
  key: Uint8Array,
  { state, network, texts, after }: CallInput<typeof listReports>['query'],
): Promise<CallAnswer<typeof listReports>> {
  const of = eventOf(actor)
  if (after && !(await queries.isReport(tx, of, after))) throw new Refusal('not_found')
  const networks = await networksOf(tx, key, of, network)
  const page = { after: after ?? null, limit: pageSize + 1, hasTexts: texts === 'yes' }
  const rows =
    state === 'open' ? await queries.listOpen(tx, of, networks, page) : await queries.listHandled(tx, of, page)
  const { at, open, help, newest, pageOpen } = await queries.readFrame(tx, of)
  const unknown = await readTextsFrame(tx, of)
  const shown = rows.slice(0, pageSize)
  return {
    at: at.toISOString(),
    reports: shown.map(presentReport),
    next: rows.length > pageSize ? (shown.at(-1)?.uid ?? null) : null,
    ...{ open, help, newest, page_open: pageOpen, texts_open: unknown.open, more_numbers: unknown.more },
    naming: namingOf(networks),
    groups: networks.rows.filter(isGrouped).map((row) => presentGroup(nameOf(key, of, row.network), row)),
  }
}

const namingOf = ({ only, but, rows }: Networks & { rows: NetworkRow[] }) =>
  rows
    .filter(({ network }) => (only === null ? !but.includes(network) : network === only))
    .reduce((sum, { naming }) => sum + naming, 0)

const presentGroup = (network: string, { count, help, naming, newest }: NetworkRow): ReportGroup => ({
  ...{ network, count, help, naming, newest: newest.toISOString() },
})

const presentReport = (row: queries.ReportRow): SelfReport => ({
  ...{ uid: row.uid, way: row.way, says: row.status, at: row.at.toISOString() },
  ...{ name: row.saidName, mobile: row.saidMobile, words: row.words, state: row.state },
  ...{ unsure: row.unsure, elsewhere: row.elsewhere },
  building: row.buildingUid && row.buildingName !== null ? { id: row.buildingUid, name: row.buildingName } : null,
  floor: row.floorUid && row.floorName !== null ? { id: row.floorUid, name: row.floorName } : null,
  person:
    row.personUid && row.personStatus
      ? { id: row.personUid, name: row.personName ?? '', location: row.personPlace ?? '', status: row.personStatus }
      : null,
  handled:
    row.handledAt && row.byName !== null ? { by: row.byName, at: row.handledAt.toISOString(), who: row.who } : null,
})

export async function readReport(tx: Tx, actor: DutyActor, uid: SelfReportUid): Promise<{ report: SelfReport }> {
  const row = await queries.findReport(tx, eventOf(actor), uid)
  if (!row) throw new Refusal('not_found')
  return { report: presentReport(row) }
}
