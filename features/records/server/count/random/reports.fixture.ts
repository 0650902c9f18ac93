import { sql } from 'kysely'
import { noteUnderstood, send } from '#features/command/server/instruction.service.ts'
import { handle } from '#features/self-report/server/handling.service.ts'
import { countMore } from '#features/self-report/server/store-report.queries.ts'
import { keepTextReport } from '#features/self-report/server/texts/text-reports.service.ts'
import type { FloorUid, InstructionUid, SelfReportUid } from '#kernel/ids.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import type { Deed } from '../reference/deeds.fixture.ts'
import type { Act } from './script.fixture.ts'
import { isIn, onDuty, type Underway } from './stage.fixture.ts'

/** Calls for help by text and what becomes of them, and instructions with their confirmations. */
export function openReports(on: Underway) {
  const { tx, org, floors, uids, deeds, eventUid } = on
  /** Open entries, by the number that texts: which call it is. Null: it has not called for help. */
  const open = new Map<string, { uid: string; call: number | null }>()
  const instructions: InstructionUid[] = []
  let [calls, phones] = [0, 0]
  const noteInstruction = (uid: InstructionUid) => instructions.push(uid) - 1

  /** A text from a new phone, or from one whose entry is open: that joins it. */
  async function text(says: 'help' | 'words', { whom }: Act, at: number): Promise<Deed[]> {
    const known = [...open.keys()]
    const mobile = known[whom % (known.length + 2)] ?? `6140000${String(phones++).padStart(4, '0')}`
    const of = { clientUid: org.clientUid, eventUid, mobile, name: null, evacueeUid: null }
    await keepTextReport(tx, { ...of, way: 'text', says, unsure: false, elsewhere: false, words: 'Third floor' })
    const before = open.get(mobile)
    const { uid } =
      before ??
      (await tx
        .selectFrom('selfReport')
        .select('uid')
        .where('eventUid', '=', eventUid)
        .where('saidMobile', '=', mobile)
        .where('state', '=', 'open')
        .executeTakeFirstOrThrow())
    const call = says === 'help' ? (before?.call ?? calls++) : (before?.call ?? null)
    open.set(mobile, { uid, call })
    return says === 'help' && call !== null ? [{ did: 'call', call, at }] : []
  }

  async function answer({ how }: Act, by: string, at: number): Promise<Deed[] | null> {
    const [mobile, found] = [...open].find(([, { call }]) => call !== null) ?? []
    if (!mobile || !found || found.call === null) return null
    const actor = await onDuty(on, by)
    const act = how % 3 === 0 ? 'false' : 'answered'
    // by the services, which ask for no more of a session
    const session = { tokenHash: Buffer.alloc(0), fingerprint: Buffer.alloc(0) }
    await handle(tx, { actor, ...session }, found.uid as SelfReportUid, { act })
    open.delete(mobile)
    return [{ did: 'answer', by, call: found.call, at }]
  }

  /**
   * Calls beyond the limit of a network. The page itself is left out: it would take sixty calls before, and tell the log once a
   * minute of its own clock.
   */
  async function more({ where, how }: Act, at: number): Promise<Deed[]> {
    const site = `network ${where % 3}`
    const calls = on.world.isDrill ? 1 : (how % 4) + 1
    await sql`update self_report_more set newest_at = newest_at - interval '1 minute' where event_uid = ${eventUid}`.execute(
      tx,
    )
    for (let nth = 0; nth < calls; nth++) {
      const told = await countMore(tx, { clientUid: org.clientUid, eventUid, site })
      if (told !== undefined)
        await record(tx, unattended(org.clientUid), {
          action: 'calls_for_help_counted',
          subjectType: 'event',
          subjectUid: eventUid,
          eventUid,
          after: told,
        })
    }
    return [{ did: 'more', calls, at }]
  }

  async function instruct({ how }: Act, by: string, at: number): Promise<Deed[] | null> {
    const some = floors.filter((_, nth) => (how >> nth) & 1)
    const said = how % 3 === 0 || some.length === 0 ? null : some.filter((floor) => isIn(on, `b${floor[1]}`))
    if (said?.length === 0) return null
    const { uid } = await send(tx, await onDuty(on, by), {
      kind: 'evacuate',
      message: 'Use the stairs.',
      text: 'no',
      floors: said === null ? 'all' : said.map((floor) => uids.get(floor) as FloorUid),
    })
    return [{ did: 'instruct', by, instruction: noteInstruction(uid), floors: said, at }]
  }

  async function understand(by: string, at: number): Promise<Deed[] | null> {
    const nth = instructions.length - 1
    const uid = instructions[nth]
    const isDone = deeds.some((deed) => deed.did === 'understand' && deed.by === by && deed.instruction === nth)
    if (!uid || isDone) return null
    await noteUnderstood(tx, await onDuty(on, by), uid)
    return [{ did: 'understand', by, instruction: nth, at }]
  }
  return { text, answer, more, instruct, understand, noteInstruction }
}
