import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/db.ts'

export interface PlanState {
  personUid: string
  /** The plan in use. */
  currentUid: string | null
  /** True if the upload has made it. */
  isMade: boolean
  /** The plan that the upload has ended, if it was not brought back. */
  formerUid: string | null
}

/** How the plans of these people stand, without a word of them. Locks them until the transaction ends. */
export async function lockPlans(
  tx: Tx,
  clientUid: string,
  uploadUid: string,
  personUids: readonly string[],
): Promise<PlanState[]> {
  const { rows } = await sql<PlanState & { active: boolean }>`
    select person_uid, uid as current_uid, active, made_by_upload_uid is not distinct from ${uploadUid} as is_made, uid as former_uid
    from peep
    where client_uid = ${clientUid} and person_uid = any (${personUids}::uuid[])
      and (active or ended_by_upload_uid = ${uploadUid})
    order by uid for update`.execute(tx)
  const byPerson = Map.groupBy(rows, ({ personUid }) => personUid)
  return personUids.map((personUid) => {
    const own = byPerson.get(personUid) ?? []
    const current = own.find(({ active }) => active)
    const former = own.find(({ active }) => !active)
    return {
      personUid,
      currentUid: current?.currentUid ?? null,
      isMade: current?.isMade ?? false,
      formerUid: former?.formerUid ?? null,
    }
  })
}

/** Ends plans, and makes others anew as they were. */
export async function replacePlans(
  tx: Tx,
  clientUid: string,
  { ended, restored }: { ended: readonly string[]; restored: readonly string[] },
): Promise<void> {
  await sql`
    update peep set active = false, updated_at = now()
    where client_uid = ${clientUid} and uid = any (${ended}::uuid[])`.execute(tx)
  await sql`
    insert into peep (client_uid, person_uid, disability, assistance, other, summary, consent, consent_on, review_on, fire_service)
    select client_uid, person_uid, disability, assistance, other, summary, consent, consent_on, review_on, fire_service from peep
    where client_uid = ${clientUid} and uid = any (${restored}::uuid[])`.execute(tx)
  await sql`
    update peep set ended_by_upload_uid = null
    where client_uid = ${clientUid} and uid = any (${restored}::uuid[])`.execute(tx)
}
