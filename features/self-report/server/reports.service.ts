import type { SelfReportUid } from '#kernel/ids.ts'
import { pageSize } from '#kernel/limits.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import { hmac, type Keyring } from '#server/platform/secrets.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import type { listReports, ReportGroup, SelfReport } from '../calls.ts'
import { noFloor } from '../kinds.ts'
import { countOf, findGroups, type Group, isOf, type NamingOne, type OpenOfLine, type OpenReports } from './groups.ts'
import { type Choice, type EventOf, readOpen } from './match-person.queries.ts'
import * as queries from './reports.queries.ts'
import { readTextsFrame } from './texts/text-reports.queries.ts'

export const eventOf = ({ clientUid, event }: DutyActor): EventOf => ({ clientUid, eventUid: event.uid })

/** What names a network in the calls: it tells no address, and means nothing in another event. */
const nameOf = (key: Uint8Array, { eventUid }: EventOf, network: string) =>
  hmac(key, `${eventUid}/${network}`).slice(0, 22)

/** The network that a call names, whether its reports are one entry or not. Undefined for one without open reports. */
export function findNetwork(keys: Keyring, of: EventOf, { rows, more }: OpenReports, asked: string): Group | undefined {
  const all = new Map<string, string>()
  for (const { line, home, site } of rows) for (const name of [line, home, site]) all.set(name, site)
  for (const { site } of more) all.set(site, site)
  for (const [name, site] of all) if (keys.some((key) => nameOf(key, of, name) === asked)) return { name, site }
  return undefined
}

interface Asked {
  network?: string | undefined
  floor?: Choice['place'] | undefined
}

/** What 'Accept all' takes: of one network, or of those in no group. Undefined for a network without open reports. */
export function choose(
  keys: Keyring,
  of: EventOf,
  open: OpenReports,
  { network, floor }: Asked,
): (Choice & { groups: Group[] }) | undefined {
  const groups = findGroups(open)
  const only = network === undefined ? null : findNetwork(keys, of, open, network)?.name
  if (only === undefined) return undefined
  return { only, but: only === null ? groups.map(({ name }) => name) : [], place: floor ?? null, groups }
}

export async function presentReports(
  tx: Tx,
  actor: DutyActor,
  keys: Keyring,
  { state, network, floor, texts, after }: CallInput<typeof listReports>['query'],
): Promise<CallAnswer<typeof listReports>> {
  const of = eventOf(actor)
  if (after && !(await queries.isReport(tx, of, after))) throw new Refusal('not_found')
  const everything = await readOpen(tx, of)
  const found = choose(keys, of, everything, { network, floor })
  if (!found) throw new Refusal('not_found')
  const { groups, ...choice } = found
  const page = { after: after ?? null, limit: pageSize + 1, hasTexts: texts === 'yes' }
  const rows =
    state === 'open'
      ? await queries.listOpen(tx, of, choice, page)
      : await queries.listHandled(tx, of, { ...choice, but: [] }, page)
  const { at, open, help, newest, pageOpen } = await queries.readFrame(tx, of)
  const unknown = await readTextsFrame(tx, of)
  const shown = rows.slice(0, pageSize)
  const here = atPlace(everything, choice.place)
  const isIn = choice.only === null ? () => true : isOf(choice.only)
  const chosen = here.rows.filter(isIn)
  return {
    at: at.toISOString(),
    reports: shown.map(presentReport),
    next: rows.length > pageSize ? (shown.at(-1)?.uid ?? null) : null,
    open,
    help,
    newest,
    page_open: pageOpen,
    texts_open: unknown.open,
    more_numbers: unknown.more,
    naming: here.naming.filter((one) => isIn(one) && !choice.but.some((name) => isOf(name)(one))).length,
    chosen: { count: countOf(chosen), help: helpOf(chosen) },
    groups: groups.flatMap((group) => presentGroup(nameOf(keys[0], of, group.name), group, here)),
  }
}

/** Calls that were counted beyond the limit name no place. */
const atPlace = (open: OpenReports, place: Choice['place']): OpenReports =>
  place === null
    ? open
    : {
        rows: open.rows.filter(isAt(place)),
        naming: open.naming.filter(isAt(place)),
        more: [],
      }

const isAt = (place: Choice['place']) => (of: OpenOfLine | NamingOne) =>
  place === noFloor ? !of.hasFloor : of.place === place

const helpOf = (rows: readonly OpenOfLine[]) => rows.reduce((sum, { help }) => sum + help, 0)

/** None if the group has nothing at the place. */
function presentGroup(network: string, { name, site }: Group, open: OpenReports): ReportGroup[] {
  const rows = open.rows.filter(isOf(name))
  const more = open.more.find((one) => one.site === site)
  const newest = Math.max(...rows.map((row) => row.newest.getTime()), more?.newest.getTime() ?? 0)
  if (newest === 0) return []
  const naming = open.naming.filter(isOf(name)).length
  const counts = { count: countOf(rows), help: helpOf(rows), more: more?.more ?? 0, naming }
  const inDrill = rows.reduce((sum, row) => sum + row.inDrill, 0)
  return [{ network, ...counts, ...(inDrill > 0 && { in_drill: inDrill }), newest: new Date(newest).toISOString() }]
}

const presentReport = (row: queries.ReportRow): SelfReport => ({
  uid: row.uid,
  way: row.way,
  says: row.status,
  at: row.at.toISOString(),
  name: row.saidName,
  mobile: row.saidMobile,
  words: row.words,
  state: row.state,
  unsure: row.unsure,
  elsewhere: row.elsewhere,
  ...(row.inDrill && { in_drill: true as const }),
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
