import { setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import type { Call } from '#kernel/client/client.ts'
import type { FloorStatusUid, FloorUid, PersonUid } from '#kernel/ids.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { type Board, type BoardPlaces, getBoard, getBoardPlaces } from '../calls/board.ts'

/** The newest offset of the journal. */
export async function newestOffset({ database }: TestServer): Promise<string> {
  const { rows } = await database.owner.pg.query('select xid::text as xid from journal j order by j.xid desc limit 1')
  return rows[0].xid
}

/** The board with all that was journaled. */
export async function boardOf(server: TestServer, call: Call): Promise<Board> {
  return (await call(getBoard, { query: { since: await newestOffset(server) } })) as Board
}

export const placesOf = async (call: Call) => (await call(getBoardPlaces, {})) as BoardPlaces

/** The floors of the board by building and name, such as 'Tower A, Ground'. */
export const byName = ({ floors }: Pick<Board, 'floors'>, { buildings }: BoardPlaces) => {
  const names = buildings.flatMap((building) => building.floors.map(({ name }) => `${building.name}, ${name}`))
  return Object.fromEntries(names.map((name, index) => [name, floors[index]]))
}

/** Both towers in an event, with a status that means clear and a red one, people on three floors and one on none. */
export async function boardGiven(server: TestServer) {
  const org = await server.given.organisation()
  const { clientUid } = org
  const [clear, help] = await server.db
    .insertInto('floorStatus')
    .values([
      { clientUid, code: 'CL', name: 'All clear', colour: 'green', displayOrder: 5, meansClear: true },
      { clientUid, code: 'HE', name: 'Help', colour: 'red', displayOrder: 6 },
    ])
    .returning('uid')
    .execute()
  const people = [
    ...(await server.given.occupants(org, 3)),
    ...(await server.given.occupants(org, 2, { floorUid: org.floors[1] })),
    ...(await server.given.occupants(org, 4, { floorUid: org.otherFloorUid })),
    await server.given.visitor(org, { floorUid: null }),
  ] as PersonUid[]
  const warden = await server.given.warden(org)
  // not on duty unless a test says so
  const helper = await server.given.warden(org, { firstName: 'Helen', floorUid: org.floors[1] })
  const deputy = await server.given.warden(org, { role: 'Chief Warden' })
  const running = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  const asWarden = await server.onDuty(warden)
  return {
    org,
    people,
    warden,
    helper,
    deputy,
    asWarden,
    ...running,
    statuses: { clear: clear?.uid as FloorStatusUid, help: help?.uid as FloorStatusUid },
    record: (person: number, status: string, floorId: FloorUid | null = org.floorUid, call: Call = asWarden) =>
      call(setPersonStatus, { body: { personId: people[person] as never, status, floorId: floorId as FloorUid } }),
    of: { clientUid, eventUid: running.eventUid },
  }
}
