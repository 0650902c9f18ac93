import { type InBatch, oneByOne } from '../../platform/db/batches.ts'
import type { Db } from '../../platform/db/db.ts'
import type { StoredPublication } from '../hub/frames.ts'
import { listEventEntries, missedEntries } from './feed.queries.ts'
import { encode } from './join.ts'
import { consequencesOf, type FeedEntry } from './publications.ts'

/** A client that missed more rows than this refetches everything. */
const maxRows = 2000
const channelPattern = /^(event|warden):([0-9a-f-]{36})$/

interface Recovery {
  publications: StoredPublication[]
  /** False if more was missed than is returned here, or if the offset was never issued. */
  isComplete: boolean
}

/** Rebuilds from the journal what the live feed published on one channel after `offset`. */
export async function recover(
  db: Db,
  channel: string,
  offset: number,
  limit: number,
  inBatch: InBatch = oneByOne(db),
): Promise<Recovery> {
  const rows = await listMissed(db, inBatch, channel, offset)
  const groups = groupByTransaction(rows)
  // The page may have split the last transaction.
  if (rows.length > maxRows) groups.pop()
  const publications = groups.flatMap((entries) => publicationOn(channel, entries))
  return {
    publications: publications.slice(0, limit),
    isComplete: rows.length <= maxRows && publications.length <= limit,
  }
}

async function listMissed(db: Db, inBatch: InBatch, channel: string, after: number): Promise<FeedEntry[]> {
  const [, kind, uid = ''] = channelPattern.exec(channel) ?? []
  const limit = maxRows + 1
  if (kind === 'event') return listEventEntries(db, uid, after, limit)
  if (kind === 'warden') return (await inBatch(missedEntries, { signInUid: uid, after, limit }))?.entries ?? []
  return []
}

function publicationOn(channel: string, entries: FeedEntry[]): StoredPublication[] {
  const found = consequencesOf(entries).publications.find((publication) => publication.channel === channel)
  return found ? [{ offset: Number(entries[0]?.xid), json: encode(found.data, Number(entries[0]?.xid)) }] : []
}

/** Entries are ordered, so those of one transaction are adjacent. */
function groupByTransaction(entries: readonly FeedEntry[]): FeedEntry[][] {
  const groups: FeedEntry[][] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last?.[0]?.xid === entry.xid) last.push(entry)
    else groups.push([entry])
  }
  return groups
}
