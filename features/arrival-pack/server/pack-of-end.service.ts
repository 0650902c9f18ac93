import type { ClientUid, EventUid, PersonUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { lockArrival } from './hazards.queries.ts'
import { listHelpWords } from './pack-content.queries.ts'
import { type OfPack, type PackContent, readAsItIs } from './pack-content.service.ts'
import * as queries from './pack-of-end.queries.ts'
import { countLivePacks } from './packs.queries.ts'

/**
 * Reads what a pack shows in the caller's transaction, which sees one snapshot: what is so now, or what was at the end of the
 * event, however places, roles, statuses and plans are changed later.
 */
export async function readContent(tx: Tx, pack: OfPack & { uid: string }): Promise<PackContent> {
  const kept = await queries.findEndContent(tx, pack.clientUid, pack.uid)
  return kept === null ? readAsItIs(tx, pack) : withNames(tx, pack, JSON.parse(kept, revived))
}

/** Keeps it in the packs of an event, in the transaction that ends it. */
export async function keepEndInPacks(
  tx: Tx,
  { clientUid, eventUid }: { clientUid: ClientUid; eventUid: EventUid },
): Promise<void> {
  await lockArrival(tx, eventUid)
  if ((await countLivePacks(tx, clientUid, eventUid)) === 0) return
  const content = await readAsItIs(tx, { clientUid, eventUid, plans: false })
  await queries.keepEndContent(tx, clientUid, eventUid, JSON.stringify(withoutNames(content)))
}

const times = new Set<string>([
  ...(['at', 'beganAt', 'endedAt'] satisfies (keyof PackContent['event'])[]),
  ...(['statusAt', 'seenAt', 'silentSince'] as const),
])
const revived = (key: string, value: unknown) => (times.has(key) && typeof value === 'string' ? new Date(value) : value)

/** Names, numbers and words of plans are kept in one place, so that they end there. */
const withoutNames = (content: PackContent): PackContent => ({
  ...content,
  inCommand: content.inCommand && { ...content.inCommand, name: '', phone: null },
  hazards: content.hazards.map((row) => ({ ...row, by: '' })),
  danger: content.danger.map((row) => ({ ...row, name: '', by: null })),
  contacts: content.contacts.map((row) => ({ ...row, name: '', mobile: null })),
})

async function withNames(tx: Tx, { clientUid, plans }: OfPack, kept: PackContent): Promise<PackContent> {
  const { inCommand, hazards, danger, help, contacts } = kept
  const uids = [
    ...[inCommand, ...contacts].flatMap((row) => row?.personUid ?? []),
    ...hazards.map(({ byUid }) => byUid),
    ...danger.flatMap(({ personUid, byUid }) => (byUid ? [personUid, byUid] : [personUid])),
  ]
  const people = new Map((await queries.listNames(tx, clientUid, uids)).map((row) => [row.uid, row]))
  const nameOf = (uid: PersonUid) => people.get(uid)?.name ?? ''
  const mobileOf = (uid: PersonUid) => people.get(uid)?.mobile ?? null
  const planUids = help.map(({ planUid }) => planUid)
  const words = new Map((await listHelpWords(tx, clientUid, planUids, plans)).map((row) => [row.planUid, row]))
  return {
    ...kept,
    inCommand: inCommand && {
      ...inCommand,
      name: nameOf(inCommand.personUid),
      phone: mobileOf(inCommand.personUid),
    },
    hazards: hazards.map((row) => ({ ...row, by: nameOf(row.byUid) })),
    danger: danger.map((row) => ({ ...row, name: nameOf(row.personUid), by: row.byUid && nameOf(row.byUid) })),
    help: help.map((row) => ({ ...row, ...words.get(row.planUid) })),
    contacts: contacts.map((row) => ({ ...row, name: nameOf(row.personUid), mobile: mobileOf(row.personUid) })),
  }
}
