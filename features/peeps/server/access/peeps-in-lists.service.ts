import type { Occupant } from '#features/evacuation/calls/evacuation.ts'
import type { AssignmentUid, ClientUid, EventUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import { owe, type Tx } from '#server/platform/db/db.ts'
import type { Actor, ActorAssignment } from '#server/wardens/actor.ts'
import { oweNotices } from './open-peep.queries.ts'
import { enterListed, enterShown, listBeyond, listOwnFloors } from './peeps-in-lists.queries.ts'

/** Readers of whom a node remembers whose plans have been entered. */
const mostReaders = 2_000
/** By event and reader. Saves a statement at each further read of a list. */
const entered = new Map<string, Set<PersonUid>>()

/** How long a node relies on the floors of an assignment, which change when an administrator changes them. */
const ownFloorsMs = 30_000
/** By assignment. Saves wardens of a floor a statement at each read of it. */
const ownFloors = new Map<AssignmentUid, { until: number; floors: ReadonlySet<FloorUid> }>()

/** Someone whose plan a list shows, and where the list has them. */
interface Shown {
  id: PersonUid
  floor?: FloorUid | null | undefined
}

/** The people of a list whose plan it shows. */
export const withPlanText = (people: readonly Occupant[]): Shown[] =>
  people.filter(({ special }) => special.some(({ peep }) => peep !== undefined))

interface Reader extends Pick<Actor, 'clientUid' | 'personUid' | 'event'> {
  assignment: Pick<ActorAssignment, 'uid' | 'areaDomain'> | null
}

/**
 * Notes plans that a list sends to someone who is not the warden of the floor, by their assignment or a claim of
 * this moment. Site roles are wardens of no floor.
 */
export async function noteListed(
  tx: Tx,
  { clientUid, personUid, event, assignment }: Reader,
  people: readonly Shown[],
): Promise<void> {
  if (!event || !assignment || people.length === 0) return
  const key = `${event.uid}/${personUid}`
  const known = entered.get(key)
  const fresh = people.filter(({ id }) => !known?.has(id))
  if (fresh.length === 0) return
  const of = { clientUid, eventUid: event.uid }
  const beyond = await listOthers(tx, of, assignment, fresh)
  if (beyond.length === 0) return
  await owe(tx, async (tx) => {
    const seen = await enterListed(tx, { ...of, readerUid: personUid, people: beyond })
    if (seen.length > 0) remember(key, seen)
  })
}

/** Those whose floor the assignment does not name. */
async function listOthers(
  tx: Tx,
  of: { clientUid: ClientUid; eventUid: EventUid },
  { uid, areaDomain }: Pick<ActorAssignment, 'uid' | 'areaDomain'>,
  people: readonly Shown[],
): Promise<PersonUid[]> {
  const idsOf = (some: readonly Shown[]) => [...new Set(some.map(({ id }) => id))]
  if (areaDomain === 'Site') return idsOf(people)
  const own = await ownFloorsOf(tx, of.clientUid, uid)
  const others = people.filter(({ floor }) => !floor || !own.has(floor))
  return others.length === 0 ? [] : listBeyond(tx, { ...of, assignmentUid: uid, people: idsOf(others) })
}

async function ownFloorsOf(tx: Tx, clientUid: ClientUid, uid: AssignmentUid): Promise<ReadonlySet<FloorUid>> {
  const kept = ownFloors.get(uid)
  if (kept && kept.until > performance.now()) return kept.floors
  const floors = new Set(await listOwnFloors(tx, clientUid, uid))
  ownFloors.delete(uid)
  ownFloors.set(uid, { until: performance.now() + ownFloorsMs, floors })
  dropOldest(ownFloors)
  return floors
}

function dropOldest(kept: Map<unknown, unknown>) {
  const [oldest] = kept.keys()
  if (kept.size > mostReaders) kept.delete(oldest)
}

function remember(key: string, people: readonly PersonUid[]) {
  const known = entered.get(key)
  if (known) for (const uid of people) known.add(uid)
  else entered.set(key, new Set(people))
  dropOldest(entered)
}

interface PackReader {
  clientUid: ClientUid
  eventUid: EventUid
  packUid: string
  readerHash: Buffer
}

/** These plans were shown to a reader of an arrival pack. It counts as opened, so the people are told. */
export async function noteShown(
  tx: Tx,
  { readerHash, ...of }: PackReader,
  people: readonly PersonUid[],
): Promise<void> {
  if (people.length === 0) return
  await enterShown(tx, { ...of, readerUid: readerUidOf(readerHash), people })
  await oweNotices(tx, { ...of, people })
}

/** What a reader of an arrival pack is called among readers of plans: the first half of the hash, as `packReader` in SQL. */
const readerUidOf = (hash: Buffer) =>
  hash
    .subarray(0, 16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
