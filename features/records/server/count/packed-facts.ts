import { findPacked } from '#features/log/server/facts/facts.queries.ts'
import {
  countRows,
  factAt,
  factLength,
  type PackedFact,
  placeKey,
  subjectKey,
} from '#features/log/server/facts/facts.ts'
import type { SignInUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import * as rows from './facts.queries.ts'

/** Whom and what the statuses of an event can be about. */
interface Ground {
  people: readonly { person: string }[]
  floors: readonly { floor: string }[]
  buildings: readonly { uid: string }[]
  wardens: readonly { signIn: string }[]
}

/**
 * The entries that count, in the order of the journal. Statuses are taken from what the sealer has packed, if it has packed all of
 * them and no two uids end alike. Everything else is read as rows.
 */
export async function* readCounted(tx: Tx, of: rows.Of, ground: Ground): AsyncGenerator<rows.Fact[]> {
  const uids = uidsOf(ground)
  const packed = uids && (await findPacked(tx, of))
  if (!packed) return yield* rows.readFacts(tx, of)
  const { tiles, last } = packed
  const others = await rows.listOthers(tx, of, last)
  // a row that is gone, or one that could not be packed
  if (others.length !== tiles.reduce((sum, facts) => sum + countRows(facts), 0)) return yield* rows.readFacts(tx, of)
  const began = await rows.findBegan(tx, of)
  let next = 0
  for (const facts of tiles) {
    const page: rows.Fact[] = []
    for (let nth = 0; nth < facts.length / factLength; nth++) {
      const found = factAt(facts, nth)
      const fact = found === 'row' ? others[next++] : found && unpacked(found, began, uids)
      if (fact) page.push(fact)
    }
    yield page
  }
  yield* rows.readFacts(tx, of, last)
}

type Uids = Record<'people' | 'places' | 'wardens', ReadonlyMap<number, string>>

/** Undefined: two end alike. */
function uidsOf({ people, floors, buildings, wardens }: Ground): Uids | undefined {
  const uids = {
    people: keyed(
      people.map(({ person }) => person),
      subjectKey,
    ),
    places: keyed([...floors.map(({ floor }) => floor), ...buildings.map(({ uid }) => uid)], placeKey),
    wardens: keyed(
      wardens.map(({ signIn }) => signIn),
      placeKey,
    ),
  }
  const { people: persons, places, wardens: signIns } = uids
  return persons && places && signIns && { people: persons, places, wardens: signIns }
}

function keyed(uids: readonly string[], key: (uid: string) => number): ReadonlyMap<number, string> | undefined {
  const map = new Map(uids.map((uid) => [key(uid), uid]))
  return map.size === uids.length ? map : undefined
}

/** Null: it is about someone who is not of the event. */
function unpacked(packed: PackedFact, began: number, { people, places, wardens }: Uids): rows.Fact | null {
  const subject = people.get(packed.subject)
  if (subject === undefined) return null
  return {
    xid: '',
    position: '',
    action: 'evacuee_status_set',
    subject,
    actor: packed.actor === null ? null : ((wardens.get(packed.actor) ?? '') as SignInUid),
    byPhone: packed.byPhone,
    recorded: (packed.recorded - began) / 1_000_000,
    seen: packed.seen === null ? null : (packed.seen - began) / 1_000_000,
    takesEffect: packed.takesEffect,
    status: packed.status,
    place: packed.place === null ? null : (places.get(packed.place) ?? ''),
    stays: packed.stays,
    refused: null,
    floorStatus: null,
    joins: false,
    before: null,
    after: null,
  }
}
