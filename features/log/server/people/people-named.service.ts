import type { Db } from '#server/platform/db/db.ts'
import { commitOf, isWithheld } from '../log-line.ts'
import { piecesOf } from '../merkle.ts'
import { unpackLines } from '../packed-lines.ts'
import type { LogOf } from '../sealing.queries.ts'
import { type FoundLines, listEventsOf, listLinesOf } from './people-named.queries.ts'

/** Someone as they were packed when they joined the event. */
export interface PackedPerson {
  name: string
  /** Of a warden. Null: someone to be accounted for. */
  role: string | null
  /** The line is what was packed. */
  isAsLogged: boolean
}

/** By their persons, and wardens by their participations too. Who was erased, or never packed, is not there. */
export type PackedPeople = ReadonlyMap<string, PackedPerson>

/**
 * The people of an event as its log has them: these, by the uids of persons or participations, or 'everyone'. Reads only the
 * tiles with their lines.
 */
export async function readPeople(
  db: Db,
  of: LogOf,
  whom: readonly (string | null)[] | 'everyone',
): Promise<PackedPeople> {
  const uids = whom === 'everyone' ? null : [...new Set(whom.filter((uid) => uid !== null))]
  const people = new Map<string, PackedPerson>()
  if (uids?.length === 0) return people
  for (const lines of await Promise.all((await listLinesOf(db, of, uids)).map(linesIn)))
    for (const { sign_in, person, ...packed } of lines) {
      if (sign_in !== undefined) people.set(sign_in, packed)
      // who takes part as a warden and is to be accounted for is one person, with one name
      if (packed.role !== null || !people.has(person)) people.set(person, packed)
    }
  return people
}

/** The names that a person had in the events of an organisation. */
export async function listNamesThen(db: Db, clientUid: string, personUid: string): Promise<string[]> {
  const names = new Set<string>()
  for (const of of await listEventsOf(db, clientUid, personUid))
    for (const { name } of (await readPeople(db, of, [personUid])).values()) names.add(name)
  return [...names]
}

type PeopleLine = PackedPerson & { person: string; sign_in?: string }

async function linesIn({ places, commits, lines }: FoundLines): Promise<PeopleLine[]> {
  const texts = await unpackLines(lines)
  const pieces = piecesOf(commits)
  return places.flatMap((place) => {
    const text = texts[place] ?? ''
    if (text === '' || isWithheld(text)) return []
    const { name, role, person, sign_in } = JSON.parse(text) as PeopleLine
    const isAsLogged = commitOf(text).equals(pieces[place] as Buffer)
    return [{ name, role: role ?? null, person, isAsLogged, ...(sign_in !== undefined && { sign_in }) }]
  })
}
