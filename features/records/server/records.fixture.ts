import { expect } from 'vitest'
import { reportIn } from '#features/duty/calls/report-in.ts'
import { setFloorStatus, setPersonStatus, toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import { createEvent, endEvent } from '#features/events/calls/events.ts'
import type { EventUid, PersonUid } from '#kernel/ids.ts'
import { endInput, startInput } from '#server/testing/event-input.ts'
import { dateBack, signingOf } from '#server/testing/event-log.ts'
import type { Organisation } from '#server/testing/given-places.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import { getRecord } from '../calls/records.ts'
import { writeDueRecords } from './record-work.service.ts'

type Call = Awaited<ReturnType<TestServer['as']>>

/** What a worker has for records. */
export const workOf = (server: TestServer) => ({ ...signingOf(server), system: server.database.system.db })

/** Writes the records of all ended events. A transaction of another test may hold a record back for a moment. */
export async function writeRecords(server: TestServer): Promise<void> {
  const troubles: unknown[] = []
  await expect
    .poll(async () => {
      await writeDueRecords(workOf(server), (trouble) => troubles.push(trouble), new AbortController().signal)
      if (troubles.length > 0) return troubles
      const writing = await server.db
        .selectFrom('eventRecord')
        .select('eventUid')
        .where('state', '=', 'writing')
        .execute()
      return writing
    })
    .toEqual([])
}

/** An organisation whose second floor status means clear, with a chief warden, a warden of all of Tower A, and people of Ground. */
export async function givenDrilled(server: TestServer, people = 4) {
  const org = await server.given.organisation({ siteName: 'Harbour Campus' })
  await server.db.updateTable('floorStatus').set({ meansClear: true }).where('uid', '=', org.statusUids[1]).execute()
  const ada = await server.given.warden(org, { firstName: 'Ada' })
  const persons = await server.given.occupants(org, people)
  const chief = await server.given.warden(org, { role: 'Chief Warden', firstName: 'Chief' })
  const manager = await server.as(chief)
  const start = async (over: Parameters<typeof startInput>[1] = {}) => {
    const { event } = await manager(createEvent, startInput(org, { kind: 'drill', ...over }))
    return event?.id as EventUid
  }
  const end = (over: Parameters<typeof endInput>[1] = {}) => manager(endEvent, endInput(org, over), withKey())
  const record = (eventUid: EventUid) => manager(getRecord, { params: { eventUid } })
  /** A warden of Tower A on duty, with what they do there. */
  const warden = async () => {
    const call = await server.as(ada)
    await call(reportIn, {})
    return actsOf(call, org)
  }
  return { org, ada, chief, persons, manager, start, end, record, warden }
}

function actsOf(call: Call, org: Organisation) {
  const [floorId] = org.floors
  return {
    call,
    mark: (personId: string, status: string, secondsAgo?: number) =>
      call(
        setPersonStatus,
        { body: { personId: personId as PersonUid, status, floorId } },
        { headers: seen(secondsAgo) },
      ),
    refuse: (person: string) => call(toggleRefusal, { body: { person: person as PersonUid, floorId } }),
    clear: (floor = floorId, nth = 1) =>
      call(setFloorStatus, { body: { floorId: floor, floorStatusId: org.statusUids[nth] as never } }),
  }
}

const seen = (secondsAgo: number | undefined): Record<string, string> =>
  secondsAgo === undefined
    ? {}
    : {
        'x-observed-at': new Date(Date.now() - secondsAgo * 1000).toISOString(),
        'x-sent-at': new Date().toISOString(),
      }

/** A drill in which one of four people was not found, with its record written. `days`: so long ago. `firstName`: of all four. */
export async function givenRecord(server: TestServer, { days = 0, firstName = '' } = {}) {
  const at = await givenDrilled(server)
  if (firstName) await server.db.updateTable('person').set({ firstName }).where('uid', 'in', at.persons).execute()
  const eventUid = await at.start()
  const { mark, refuse, clear, call } = await at.warden()
  const [one, two, three] = at.persons
  await mark(`${one}`, 'safe')
  await mark(`${two}`, 'safe')
  await mark(`${three}`, 'safe')
  await refuse(`${three}`)
  await clear()
  await at.end()
  if (days > 0) await dateBack(server, { eventUid }, days)
  await writeRecords(server)
  return { ...at, eventUid, wardenCall: call, ...(await at.record(eventUid)) }
}
