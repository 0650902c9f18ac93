import { floorContradictions } from '#features/board/kinds.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { type DutyActor, hasFlag, journalActor } from '#server/wardens/actor.ts'
import type { ContradictionItem, keepContradiction, listContradictions, Told } from '../calls.ts'
import { keepReason, type Said } from '../kinds.ts'
import { type AccountedRow, type EventOf, listAccountedRows, readSteadyNow } from './account-list.queries.ts'
import { eventOf, placeName, placesIn, presentAccounted, presentSource } from './account-list.service.ts'
import {
  findKept,
  insertKept,
  type JournaledRow,
  listJournaled,
  listPlaceRows,
  type PlaceRow,
} from './contradiction-evidence.queries.ts'
import {
  type Contradiction,
  isInEvent,
  listAllContradictions,
  listContradictions as listOpen,
} from './contradictions.queries.ts'

const mostItems = 50
const keyOf = ({ kind, subject }: Pick<Contradiction, 'kind' | 'subject'>) => `${kind}.${subject}`
const isOfFloor = ({ kind }: Pick<Contradiction, 'kind'>) => (floorContradictions as readonly string[]).includes(kind)

/** 50 of those that no one keeps, of the place or of all, the oldest first. A page begins anew if its key has been settled meanwhile. */
export async function contradictionsPage(
  tx: Tx,
  actor: DutyActor,
  { floor, after }: CallInput<typeof listContradictions>['query'],
): Promise<CallAnswer<typeof listContradictions>> {
  const of = eventOf(actor)
  const wanted = floor && new Set<string>(await placesIn(tx, actor, [floor]))
  const all = (await listOpen(tx, of.clientUid, of.eventUid)).filter((c) => !wanted || wanted.has(c.placeUid))
  const begin = all.findIndex((one) => keyOf(one) === after) + 1
  const shown = all.slice(begin, begin + mostItems)
  const last = shown.at(-1)
  return {
    at: (await readSteadyNow(tx)).toISOString(),
    items: await present(tx, of, shown, hasFlag(actor, 'Module_Evacuee_Safety')),
    next: last && begin + mostItems < all.length ? keyOf(last) : null,
  }
}

async function present(tx: Tx, of: EventOf, shown: readonly Contradiction[], named: boolean) {
  const rows = await listAccountedRows(tx, of, [...new Set(shown.flatMap(({ uids }) => uids))])
  const people = new Map(rows.map((row) => [row.uid, row]))
  const newest = ({ uids: [uid] }: Contradiction) => (uid ? people.get(uid) : undefined)
  const places = new Map(
    (await listPlaceRows(tx, of, [...new Set(shown.map((c) => c.placeUid))])).map((p) => [p.uid, p]),
  )
  const wanted = shown
    .filter((c) => !isOfFloor(c) || c.kind === 'cleared_refusal')
    .flatMap((c) => {
      const row = newest(c)
      return row ? [{ kind: c.kind, personUid: row.personUid, status: row.status }] : []
    })
  const told = new Map((await listJournaled(tx, of, wanted)).map((row) => [`${row.said}.${row.personUid}`, row]))
  return shown.flatMap((c) => {
    const [place, person] = [places.get(c.placeUid), newest(c)]
    if (!place || !person) return []
    return [
      {
        kind: c.kind,
        subject: c.subject,
        state: c.state,
        count: c.count,
        location: placeName(place),
        floor: place.floorUid,
        building: place.buildingUid,
        ...recordsOf(c, place, person, told),
        people: named ? c.uids.flatMap((uid) => people.get(uid) ?? []).map(presentAccounted) : [],
      },
    ]
  })
}

/** The two records. Of a floor its sweep comes first, of a person the danger. The row has one of a person's two, the journal the other. */
function recordsOf(
  c: Contradiction,
  place: PlaceRow,
  person: AccountedRow,
  told: ReadonlyMap<string, JournaledRow>,
): Pick<ContradictionItem, 'first' | 'second'> {
  const stands: Told = { said: person.status, words: null, source: presentSource(person) }
  const journaled = (said: Said): Told => {
    const row = told.get(`${said}.${person.personUid}`)
    const source = presentSource(row ?? { grade: 'told', byName: null, byRole: null, floorName: null, at: c.first })
    return { said, words: null, source }
  }
  if (isOfFloor(c)) {
    const source = presentSource({ ...place, grade: 'told', floorName: null, at: c.first })
    const first: Told = { said: 'cleared', words: place.statusName, source }
    return { first, second: c.kind === 'cleared_refusal' ? journaled('refused') : stands }
  }
  const [against, at] = person.status === 'danger' ? (['safe', c.second] as const) : (['danger', c.first] as const)
  const entry = journaled(against)
  const other = { ...entry, source: { ...entry.source, at: at?.toISOString() ?? null } }
  return against === 'safe' ? { first: stands, second: other } : { first: other, second: stands }
}

/** 'Keep as it is'. Of two people the second reads what the first chose. */
export async function keep(
  tx: Tx,
  actor: DutyActor,
  { reason: typed, ...wanted }: CallInput<typeof keepContradiction>['body'],
): Promise<CallAnswer<typeof keepContradiction>> {
  const of = eventOf(actor)
  const reason = readReason(typed)
  if (!(await isInEvent(tx, of, wanted.subject, isOfFloor(wanted)))) throw new Refusal('not_found')
  const now = (await listAllContradictions(tx, of.clientUid, of.eventUid)).find((one) => keyOf(one) === keyOf(wanted))
  if (now?.state !== wanted.state) throw new Refusal('changed_since')
  const isNew = await insertKept(tx, of, { ...wanted, reason, signInUid: actor.signIn.uid })
  if (isNew)
    await record(tx, journalActor(actor), {
      action: 'contradiction_kept',
      subjectType: isOfFloor(now) ? 'floor' : 'evacuee',
      subjectUid: wanted.subject,
      eventUid: of.eventUid,
      after: { kind: wanted.kind, state: wanted.state },
    })
  const kept = await findKept(tx, of, wanted)
  if (!kept) throw new Refusal('changed_since')
  const own = kept.bySignInUid === actor.signIn.uid
  return { kept: { reason: kept.reason, by: kept.byName, at: kept.keptAt.toISOString(), own } }
}

function readReason(typed: string): string {
  const reason = typed.trim()
  if (/\p{C}/u.test(reason)) throw new Refusal('invalid_request', 'Use plain text.', ['body/reason'])
  if (reason.length < keepReason.least)
    throw new Refusal('invalid_request', `A reason has at least ${keepReason.least} characters.`, ['body/reason'])
  return reason
}
