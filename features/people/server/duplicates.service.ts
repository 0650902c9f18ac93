import type { ClientUid } from '#kernel/ids.ts'
import type { CallAnswer } from '#kernel/route.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import { within } from '#server/administrators/reach.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { type DuplicatePerson, type listDuplicates, pairsShown } from '../calls/duplicates.ts'
import * as queries from './duplicates.queries.ts'

/** Pairs of an organisation that a process remembers, of each reason. */
const mostKept = 2_000
/** A transaction that was running at the last look may have ended since: its people have its beginning as time. */
const overlapMs = 60_000
/** After so long all people are read again: for those of a longer transaction. */
const readAllMs = 12 * 3_600_000

interface Known {
  pairs: Map<string, queries.Pair>
  lookedAt: Date
  readAllAt: Date
  /** There may be pairs that are not remembered. */
  isCut: boolean
}

/**
 * Finds duplicates. The first look of a process reads all people of the organisation. From then on it compares those
 * who have changed, so that a look costs the same at 1,000,000 people as at 1,000.
 */
export function openDuplicates(system: Db) {
  const organisations = new Map<ClientUid, Promise<Known>>()

  const lookAgain = async (clientUid: ClientUid, known: Known | undefined): Promise<Known> => {
    const lookedAt = await queries.findNow(system)
    const isFresh = !known || (known.isCut && known.pairs.size < pairsShown) || +lookedAt - +known.readAllAt > readAllMs
    const found = isFresh
      ? await queries.listAllPairs(system, clientUid, mostKept)
      : await queries.listPairsSince(system, clientUid, new Date(+known.lookedAt - overlapMs), mostKept)
    const pairs = new Map(isFresh ? [] : known.pairs)
    for (const pair of found) if (pairs.size < mostKept * 3) pairs.set(`${pair.one} ${pair.other}`, pair)
    const readAllAt = isFresh ? lookedAt : known.readAllAt
    return { pairs, lookedAt, readAllAt, isCut: found.length >= mostKept || (!isFresh && known.isCut) }
  }

  /** One look at a time. One that has failed leaves what was known. */
  const look = (clientUid: ClientUid): Promise<Known> => {
    const before = organisations.get(clientUid)
    const next = Promise.resolve(before?.catch(() => undefined)).then((known) => lookAgain(clientUid, known))
    organisations.set(clientUid, next)
    next.catch(() => {
      if (organisations.get(clientUid) !== next) return
      if (before) organisations.set(clientUid, before)
      else organisations.delete(clientUid)
    })
    return next
  }

  return async (tx: Tx, administrator: Administrator): Promise<CallAnswer<typeof listDuplicates>> => {
    const { clientUid } = administrator
    const known = await look(clientUid)
    const found = await queries.findPairs(tx, clientUid, within(administrator), [...known.pairs.values()])
    known.pairs = new Map(
      found.map(({ one, other }) => [`${one.uid} ${other.uid}`, { one: one.uid, other: other.uid }]),
    )
    const reached = found.filter(({ isReached }) => isReached)
    return {
      rows: reached.slice(0, pairsShown).map(({ one, other, reasons }) => ({
        one: present(one),
        other: present(other),
        reasons,
      })),
      total: known.isCut ? pairsShown + 1 : Math.min(reached.length, pairsShown + 1),
      more: { before: null, after: null },
      asOf: known.lookedAt.toISOString(),
    }
  }
}

const present = ({ uid, firstName, lastName, code, place }: queries.TwinRow): DuplicatePerson => ({
  uid,
  first_name: firstName,
  last_name: lastName,
  code,
  place,
})
