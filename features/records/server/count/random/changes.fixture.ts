import { changeAction } from '#features/events/server/change-action.service.ts'
import { actionCodes, hasWhere } from '#kernel/actions.ts'
import type { BuildingUid, InstructionUid } from '#kernel/ids.ts'
import type { Deed } from '../reference/deeds.fixture.ts'
import type { Act } from './script.fixture.ts'
import { chiefOf, isIn, type Underway } from './stage.fixture.ts'

/** The changes of the action in one event. Each names the one before. */
export function openChanges(on: Underway, noteInstruction: (uid: InstructionUid) => number) {
  const { server, tx, uids, world, floors } = on
  let base: string | null = null

  /** Some of the buildings of the event, by the digits of a number. */
  async function change(one: Act, at: number): Promise<Deed[] | null> {
    const inEvent = world.buildings.filter(({ id }) => isIn(on, id)).map(({ id }) => id)
    const some = inEvent.filter((_, nth) => (one.where >> nth) & 1)
    const buildings = some.length > 0 ? some : inEvent
    const action = actionCodes[one.how % actionCodes.length] ?? 'evacuate'
    const again = one.whom % 2 === 0 && action !== 'release'
    const done = await changeAction(server.app, tx, await chiefOf(on), {
      event: on.eventUid,
      buildings: buildings.map((id) => uids.get(id) as BuildingUid),
      action,
      ...(hasWhere(action) && { where: 'the gym' }),
      message: 'Listen.',
      broadcastMessage: 'no',
      again: again ? 'yes' : 'no',
      base,
    })
    base = done.change
    await findActionStatuses(on)
    const deed: Deed = { did: 'change', by: 'w0', buildings, action, again, at }
    const own = floors.filter((floor) => buildings.includes(`b${floor[1]}`))
    const isWhole = buildings.length === inEvent.length
    // wardens of buildings without floors are told nothing
    if (!isWhole && own.length === 0) return [deed]
    const { uid } = await tx
      .selectFrom('instruction')
      .select('uid')
      .where('eventUid', '=', on.eventUid)
      .orderBy('at', 'desc')
      .orderBy('uid', 'desc')
      .executeTakeFirstOrThrow()
    const instruction = noteInstruction(uid as InstructionUid)
    return [deed, { did: 'instruct', by: 'w0', instruction, floors: isWhole ? null : own, at }]
  }
  return { change }
}

/** Notes the floor statuses that the product makes when an action is first used. */
export async function findActionStatuses({ tx, org, uids }: Pick<Underway, 'tx' | 'org' | 'uids'>): Promise<void> {
  const rows = await tx
    .selectFrom('floorStatus')
    .select(['uid', 'name', 'action'])
    .where('clientUid', '=', org.clientUid)
    .where('action', 'is not', null)
    .execute()
  for (const { uid, name, action } of rows) uids.set(`${action}: ${name}`, uid)
}
