import type { Db } from '../../platform/db/db.ts'
import type { StoredPublication } from '../hub/frames.ts'
import { findHorizon, listEventEntries, listSignInEntries } from './feed.queries.ts'
import { consequencesOf, type FeedEntry } from './publications.ts'

/** A client that missed more rows than this fetches everything anew. */
const maxRows = 2000
const channelPattern = /^(event|warden):([0-9a-f-]{36})$/

interface Recovery {
  publications: StoredPublication[]
  /** False when more was missed than is given here, or when the offset was never handed out. */
  isComplete: boolean
}

/** HUB-26: what the live feed published on one channel after `offset`, made from the journal by the same rules. */
export async function recover(db: Db, channel: string, offset: number, limit: number): Promise<Recovery> {
  const rows = await listMissed(db, channel, offset)
  const groups = groupByTransaction(rows)
  // The page may have cut the last transaction in two.
  if (rows.length > maxRows) groups.pop()
  const publications = groups.flatMap((entries) => publicationOn(channel, entries))
  return {
    publications: publications.slice(0, limit),
    isComplete: rows.length <= maxRows && publications.length <= limit,
  }
}

/** An offset from the future belongs to a database that has since gone back: nothing can be said about what it missed. */
export async function isHandedOut(db: Db, offset: number): Promise<boolean> {
  return offset <= (await findHorizon(db)).newest
}

async function listMissed(db: Db, channel: string, offset: number): Promise<FeedEntry[]> {
  const [, kind, uid = ''] = channelPattern.exec(channel) ?? []
  if (kind === 'event') return listEventEntries(db, uid, offset, maxRows + 1)
  if (kind === 'warden') return listSignInEntries(db, uid, offset, maxRows + 1)
  return []
}

function publicationOn(channel: string, entries: FeedEntry[]): StoredPublication[] {
  const found = consequencesOf(entries).publications.find((publication) => publication.channel === channel)
  return found ? [{ offset: Number(entries[0]?.xid), json: JSON.stringify(found.data) }] : []
}

/** Entries come ordered, so those of one transaction stand together. */
function groupByTransaction(entries: readonly FeedEntry[]): FeedEntry[][] {
  const groups: FeedEntry[][] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last?.[0]?.xid === entry.xid) last.push(entry)
    else groups.push([entry])
  }
  return groups
}
