import { reportNotAvailable } from '#features/duty/calls/report-in.ts'
import { endEvent } from '#features/events/calls/events.ts'
import { logout } from '#features/sign-in/calls/sign-in.ts'
import type { SignInUid } from '#kernel/ids.ts'
import type { ModuleFlag } from '#kernel/vocabulary.ts'
import { endInput } from '../../testing/event-input.ts'
import type { Organisation } from '../../testing/given-places.ts'
import type { Warden, WardenOver } from '../../testing/given-wardens.ts'
import type { TestServer } from '../../testing/test-server.ts'
import type { Standing } from './ask.fixture.ts'

const onDuty = { isSignedIn: true, counts: true, inEvent: true, onDuty: true }
const absent = { ...onDuty, onDuty: false }
const elsewhere = { ...absent, inEvent: false }
/** The participation is still on duty; only the assignment has changed. */
const noLonger = { ...onDuty, counts: false }
const nobody = { isSignedIn: false, counts: false, inEvent: false, onDuty: false }

/** People with an account, and the properties of each. */
export const standings = {
  'on duty': onDuty,
  'on duty by a report-in link': onDuty,
  'reported not available': absent,
  'off duty': absent,
  'never reported in': absent,
  'signed in by a report-in link and not reported in': absent,
  'where no event is': elsewhere,
  'in an event that has ended': elsewhere,
  'whose building has left the event': elsewhere,
  'whose area no event concerns': elsewhere,
  'without any assignment': { ...elsewhere, counts: false },
  'on duty whose assignment is offered': noLonger,
  'on duty whose assignment is declined': noLonger,
  'on duty whose assignment is withdrawn': noLonger,
  'on duty whose assignment has lapsed': onDuty,
  'on duty whose assignment is upcoming': noLonger,
  'by a report-in link to an event that has ended': nobody,
  'by a report-in link whose building has left the event': nobody,
} satisfies Record<string, Omit<Standing, 'flags'>>
export type StandingName = keyof typeof standings
export const standingNames = Object.keys(standings) as StandingName[]

/** The tokens of all these people, in roles with these modules. */
export async function givenStandings(server: TestServer, modules: readonly ModuleFlag[]) {
  const { given } = server
  const org = await given.organisation()
  const make = (over: WardenOver = {}) => given.warden(org, { modules, ...over })
  const wardens = new Map<StandingName, Warden>()
  const inTowerB = { floorUid: org.otherFloorUid }
  for (const name of standingNames) wardens.set(name, await make(name.includes('building has left') ? inTowerB : {}))
  wardens.set(
    'whose area no event concerns',
    await make({ role: 'Building Warden', buildingUid: await emptyTower(server, org) }),
  )
  const { eventUid, manager } = await server.runningEvent(org, { buildings: [org.buildingUid, org.otherBuildingUid] })
  const of = (name: StandingName) => wardens.get(name) as Warden
  const byLink = async (name: StandingName, warden = of(name), event = eventUid) => {
    const signIn = await server.signInOf(event, warden)
    return server.as(warden, { signInUid: signIn?.uid as SignInUid })
  }

  const tokens = new Map<StandingName, string>()
  for (const name of standingNames) {
    const isByLink = name.includes('report-in link')
    const call = isByLink ? await byLink(name) : await server.as(of(name))
    tokens.set(name, call.token)
    if (standings[name].onDuty) await server.onDuty(of(name))
  }
  await (await server.as(of('reported not available')))(reportNotAvailable, {})
  await (await server.onDuty(of('off duty')))(logout, {})
  for (const name of [
    'whose building has left the event',
    'by a report-in link whose building has left the event',
  ] as const)
    await server.onDuty(of(name))
  await manager(endEvent, endInput(org, { buildings: [org.otherBuildingUid] }))
  await setAssignments(server, of)
  for (const [name, token] of await elsewhereTokens(server, modules)) tokens.set(name, token)
  return tokens
}

async function emptyTower({ given }: TestServer, org: Organisation) {
  return (await given.building(org, { name: 'Tower C', floorNames: [] })).buildingUid
}

async function setAssignments({ db }: TestServer, of: (name: StandingName) => Warden) {
  const changes = {
    'on duty whose assignment is offered': { status: 'Offered' },
    'on duty whose assignment is declined': { status: 'Declined' },
    'on duty whose assignment is withdrawn': { status: 'Withdrawn' },
    'on duty whose assignment has lapsed': { dateTo: '2020-12-31' },
    'on duty whose assignment is upcoming': { dateFrom: '2099-01-01' },
  } as const
  for (const [name, change] of Object.entries(changes)) {
    const { assignmentUid } = of(name as StandingName)
    await db.updateTable('wardenAssignment').set(change).where('uid', '=', assignmentUid).execute()
  }
  const { personUid } = of('without any assignment')
  await db.updateTable('session').set({ assignmentUid: null }).where('personUid', '=', personUid).execute()
}

/** People of other organisations: one without an event, one whose event has ended. */
async function elsewhereTokens(server: TestServer, modules: readonly ModuleFlag[]): Promise<[StandingName, string][]> {
  const { given } = server
  const quiet = await server.as(await given.warden(await given.organisation(), { modules }))
  const org = await given.organisation()
  const [warden, linked] = [await given.warden(org, { modules }), await given.warden(org, { modules })]
  const { eventUid, manager } = await server.runningEvent(org)
  const wasOnDuty = await server.onDuty(warden)
  const byLink = await server.as(linked, { signInUid: (await server.signInOf(eventUid, linked))?.uid as SignInUid })
  await manager(endEvent, endInput(org))
  return [
    ['where no event is', quiet.token],
    ['in an event that has ended', wasOnDuty.token],
    ['by a report-in link to an event that has ended', byLink.token],
  ]
}
