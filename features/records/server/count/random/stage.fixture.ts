import type { openStage } from '#features/operation/server/demo-drill/stage.ts'
import { type Action, statusActionOf } from '#kernel/actions.ts'
import type { BuildingUid, EventUid } from '#kernel/ids.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import type { DutyActor } from '#server/wardens/actor.ts'
import type { Deed, World } from '../reference/deeds.fixture.ts'

/** Where an event is played. */
export interface Stage {
  server: TestServer
  stage: Awaited<ReturnType<typeof openStage>>
  tx: Tx
  /** By short name. */
  uids: Map<string, string>
  world: World
  floors: string[]
  deeds: Deed[]
  signed: Map<string, Awaited<ReturnType<Awaited<ReturnType<typeof openStage>>['signIn']>>>
  org: Awaited<ReturnType<TestServer['given']['organisation']>>
  site: { siteUid: string; buildingUid: BuildingUid }
  /** Seconds between the start and the transaction. */
  lead: number
}

/** Where an event is under way. */
export interface Underway extends Stage {
  eventUid: EventUid
}

export type Phone = NonNullable<ReturnType<Stage['signed']['get']>>
export const phoneOf = ({ signed }: Pick<Stage, 'signed'>, id: string) => signed.get(id) as Phone

/** The chief warden manages the event. */
export const chiefOf = (on: Pick<Stage, 'signed'>) => phoneOf(on, 'w0').actor()

/** Throws what the product answers to a warden who is not on duty. */
export async function onDuty(on: Pick<Stage, 'signed'>, by: string): Promise<DutyActor> {
  const actor = await on.signed.get(by)?.actor()
  if (actor?.signIn?.attendance !== 'on_duty' || !actor.event) throw new Refusal('not_on_duty')
  return actor as DutyActor
}

/** True if the building is in the event. */
export function isIn({ deeds }: Pick<Stage, 'deeds'>, building: string): boolean {
  const last = deeds.findLast(
    (deed) =>
      (deed.did === 'start' || deed.did === 'add' || deed.did === 'remove') && deed.buildings.includes(building),
  )
  return last !== undefined && last.did !== 'remove'
}

/** The statuses that the floors of a building are offered. */
export function statusesFor({ deeds, world }: Pick<Stage, 'deeds' | 'world'>, building: string): World['statuses'] {
  const last = deeds.findLast(
    (deed) =>
      (deed.did === 'start' || deed.did === 'add' || deed.did === 'change') && deed.buildings.includes(building),
  )
  const does = statusActionOf((last?.did === 'change' ? last.action : world.begins) as Action)
  return world.statuses.filter(({ action }) => action === does)
}
