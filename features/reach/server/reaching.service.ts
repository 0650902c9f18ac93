import { sql } from 'kysely'
import type { ClientUid } from '#kernel/ids.ts'
import type { CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { fieldRefusal, Refusal } from '#server/platform/errors.ts'
import type { Reaching as Shown, saveReaching } from '../calls/reaching.ts'
import { type Choice, type ReachClass, type Reaching, reachClasses, type Step, textedAtOnce } from '../kinds.ts'

interface Stored {
  reach: Reaching | null
  /** The chosen plans alone: other settings have forms of their own. */
  version: string
}

async function findReaching(tx: Tx, clientUid: ClientUid, { forChange = false } = {}): Promise<Stored> {
  const { rows } = await sql<Stored>`
    select reach, md5(coalesce(reach::text, '')) as version from client
    where uid = ${clientUid} ${forChange ? sql`for no key update` : sql``}`.execute(tx)
  return rows[0] as Stored
}

const choiceOf = (reach: Reaching | null, reachClass: ReachClass): Choice => reach?.plans[reachClass] ?? 'as_before'

function present({ reach, version }: Stored): Shown {
  const shown = (reachClass: ReachClass) => {
    const choice = choiceOf(reach, reachClass)
    return typeof choice === 'string' ? choice : [...choice]
  }
  return {
    version,
    plans: {
      report_in: shown('report_in'),
      instruction: shown('instruction'),
      command: shown('command'),
      offer: shown('offer'),
      message: shown('message'),
      ask: shown('ask'),
    },
    texts: reach?.texts ?? null,
    calls: reach?.calls ?? null,
  }
}

export const presentReaching = async (tx: Tx, { clientUid }: Administrator): Promise<Shown> =>
  present(await findReaching(tx, clientUid))

/** Throws `changed_since`, and `invalid_request` for steps that no one could follow. */
export async function save(
  tx: Tx,
  administrator: Administrator,
  { version, ...wanted }: CallInput<typeof saveReaching>['body'],
): Promise<Shown> {
  const { clientUid } = administrator
  for (const reachClass of reachClasses) checkSteps(reachClass, wanted.plans[reachClass])
  const before = await findReaching(tx, clientUid, { forChange: true })
  if (before.version !== version) throw new Refusal('changed_since')
  await tx
    .updateTable('client')
    .set({ reach: JSON.stringify(wanted), updatedAt: sql`clock_timestamp()` })
    .where('uid', '=', clientUid)
    .execute()
  const changed = reachClasses.filter(
    (one) => JSON.stringify(choiceOf(before.reach, one)) !== JSON.stringify(wanted.plans[one]),
  )
  const told = (reach: Reaching | null) =>
    Object.fromEntries(changed.map((one) => [`reaching_${one}`, wordOf(choiceOf(reach, one))]))
  await record(tx, journalAdministrator(administrator), {
    action: 'settings_changed',
    subjectType: 'organisation',
    subjectUid: clientUid,
    before: told(before.reach),
    after: { ...told(wanted), fields: changed.map((one) => `reaching_${one}`) },
  })
  return present(await findReaching(tx, clientUid))
}

const wordOf = (choice: Choice) =>
  typeof choice === 'string' ? choice : choice.map(({ way, seconds }) => `${way} ${seconds}`).join(', ')

function checkSteps(reachClass: ReachClass, choice: Choice): void {
  if (typeof choice === 'string') return
  const refuse = (sentence: string) => fieldRefusal('invalid_request', sentence, reachClass)
  if (choice.some(({ seconds }, nth) => seconds < (choice[nth - 1]?.seconds ?? 0)))
    throw refuse('Put the steps in the order of their times.')
  const next = choice.filter(({ way }) => way === 'next').length
  if (next > 1 || (next === 1 && reachClass !== 'report_in'))
    throw refuse('Only ‘Report in’ can call those who are called second, once.')
  if (isTextedAtOnce(reachClass) && !choice.some(isFirstText)) throw refuse('One step must be a text after 0 seconds.')
}

const isTextedAtOnce = (reachClass: ReachClass) => (textedAtOnce as readonly ReachClass[]).includes(reachClass)
const isFirstText = ({ way, seconds }: Step) => way === 'text' && seconds === 0
