import { conversation } from '#features/messaging/server/messaging.fixture.ts'
import type { ReachClass, Step, Way } from '#features/reach/kinds.ts'
import { after, choose } from '#features/reach/server/reach.fixture.ts'
import { actOnSimulatedCall, getSimulatedCall } from '#features/texts/calls/simulator.ts'
import { openGateways } from '#features/texts/server/gateways/gateways.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { takeDueSteps } from '#server/testing/reaches.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import { type Calling, openCalling } from './make-calls.service.ts'

const step = (way: Way, seconds: number): Step => ({ way, seconds })

/** Texted at once, called after 60 s, and on the second number after 120. */
export const byCall = (reachClass: ReachClass) => ({
  [reachClass]: [step('text', 0), step('call', 60), step('second_call', 120)],
})

/** The worker's part, run when the test says so: begins the calls that are due, at the simulator unless said otherwise. */
export const makeCalls = (server: TestServer, over: Partial<Calling> = {}) =>
  openCalling({
    system: server.db,
    gateway: openGateways(server.app, server.config),
    limits: { perSecond: 100, atOnce: 100 },
    ofDay: 100,
    onTrouble: (error) => {
      throw error
    },
    ...over,
  })()

/** So many seconds later the worker takes what is due, and calls. */
export async function callAfter(
  server: TestServer,
  event: Parameters<typeof after>[1],
  seconds: number,
  over: Partial<Calling> = {},
) {
  await after(server, event, seconds, { canCall: true })
  await makeCalls(server, over)
}

/** What a phone of the simulator shows, and what its holder does. */
export const phoneOf = (server: TestServer, mobile: string | null) => {
  const shown = async () => (await server.stranger(getSimulatedCall, { query: { mobile: mobile ?? '' } })).call
  const act = async (body: { act: 'answer' | 'decline' | 'key'; key?: string }) =>
    server.stranger(actOnSimulatedCall, { params: { id: (await shown())?.id ?? '' }, body })
  return {
    shown,
    decline: () => act({ act: 'decline' }),
    async answer() {
      await act({ act: 'answer' })
      return (await shown())?.say
    },
    press: async (key: string) => (await act({ act: 'key', key })).taken,
  }
}

/** Calls and notes of a person, the first one first. */
export const linesOf = async ({ db }: TestServer, { personUid }: { personUid: PersonUid }) => {
  const rows = await db
    .selectFrom('ring')
    .innerJoin('reach', 'reach.uid', 'ring.reachUid')
    .select(['ring.way', 'ring.status', 'ring.reason', 'ring.digit'])
    .where('reach.personUid', '=', personUid)
    .orderBy('ring.createdAt')
    .execute()
  return rows.map(({ way, status, reason, digit }) => `${way} ${status}: ${digit ?? reason ?? ''}`)
}

export const setSecond = ({ db }: TestServer, { personUid }: { personUid: PersonUid }, secondMobile: string) =>
  db.updateTable('person').set({ secondMobile }).where('uid', '=', personUid).execute()

/** A number of no one else. */
let nth = 0
export const newNumber = () => `6139${process.pid % 1000}${String(nth++).padStart(5, '0')}`.slice(0, 13)

/** Olga is asked whether she is safe, and will be called. */
export async function asked(server: TestServer) {
  const c = await conversation(server)
  await choose(server, c.org.clientUid, byCall('ask'))
  await takeDueSteps(server)
  return { ...c, olga: { personUid: c.person } }
}
