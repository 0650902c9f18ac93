import type { EventUid, FloorOfferUid, SignInUid } from '#kernel/ids.ts'
import { type ModuleFlag, moduleFlags } from '#kernel/vocabulary.ts'
import { refreshStatistics } from '../../platform/db/migrate.ts'
import type { NamedCall } from '../../testing/contract-calls.ts'
import type { Organisation } from '../../testing/given-places.ts'
import type { Warden } from '../../testing/given-wardens.ts'
import type { TestServer } from '../../testing/test-server.ts'
import { givenConsoleWorld } from './administrators.fixture.ts'
import { consoleCalls, inputsOf, signedInCalls } from './ask.fixture.ts'
import { contradicted, type Uids } from './call-inputs.fixture.ts'
import { putInCommand, signInUidOf, uidsFor } from './own-uids.fixture.ts'

/** An asker on duty in a running event, with their own objects. */
export interface OnDuty {
  asker: Warden
  token: string
  own: Uids
}

/** Calls that change the event for everyone, or need what others change. They are made in a separate event. */
const changesTheEvent = new Set([
  'createEvent',
  'endEvent',
  'makeEventLive',
  'handOver',
  'takeCommand',
  'keepContradiction',
  'takeForDay',
  'handleReport',
])

/**
 * One event in which every asker is on duty: one asker per call, and a colleague whom requests may name. Each of the calls
 * of the console has an administrator besides.
 */
export async function givenOnDuty(
  server: TestServer,
  modulesOf: (name: string) => readonly ModuleFlag[],
  ofConsole: readonly Pick<NamedCall, 'name'>[] = consoleCalls,
) {
  const names = signedInCalls.map(({ name }) => name)
  const together = await givenEvent(
    server,
    names.filter((name) => !changesTheEvent.has(name)),
    modulesOf,
  )
  const apart = [...changesTheEvent].map(async (name) => givenEvent(server, [name], modulesOf))
  const events = [together, ...(await Promise.all(apart))]
  const worlds = new Map<string, Awaited<ReturnType<typeof givenConsoleWorld>>>()
  for (const { name } of ofConsole) worlds.set(name, await givenConsoleWorld(server))
  // the product does so when an event begins: without, lists of so many wardens are planned as if there were none
  await refreshStatistics(server.database.owner.db)
  return (name: string): OnDuty & Pick<RunningEvent, 'colleague' | 'colleagueSignInUid'> => {
    const world = worlds.get(name)
    // an administrator of their own for each call of the console
    if (world) return { ...together, ...(together.askers.get(names[0] as string) as OnDuty), ...world }
    // calls of observers have no asker
    const event = events.find(({ askers }) => askers.has(name)) ?? together
    return { ...event, ...(event.askers.get(event.askers.has(name) ? name : 'getProfile') as OnDuty) }
  }
}

interface Given {
  org: Organisation
  eventUid: EventUid
  askers: ReadonlyMap<string, OnDuty>
}

type RunningEvent = Awaited<ReturnType<typeof givenEvent>>

/** A role that only reads records takes part in no event. */
const takingPart = (flags: readonly ModuleFlag[]): readonly ModuleFlag[] =>
  flags.length === 1 && flags[0] === 'Module_Event_Records' ? [...flags, 'Module_My_Messages'] : flags

async function givenEvent(server: TestServer, names: string[], modulesOf: (name: string) => readonly ModuleFlag[]) {
  const { given } = server
  const org = await given.organisation()
  const [evacuee, colleague, receiver] = [
    await given.occupant(org),
    await given.warden(org, { role: 'Chief Warden' }),
    await given.warden(org),
  ]
  await given.peep(org, evacuee)
  const wardens = new Map<string, { asker: Warden; ownOffer: string }>()
  for (const name of names) wardens.set(name, await givenAsker(server, org, name, takingPart(modulesOf(name))))
  const { eventUid } = await server.runningEvent(org, names.includes('makeEventLive') ? { kind: 'drill' } : {})
  const { at } = contradicted
  await server.db
    .updateTable('evacuee')
    .set({ dispute: 'late_safe', disputeAt: at, statusObservedAt: at })
    .where('eventUid', '=', eventUid)
    .where('personUid', '=', evacuee)
    .execute()
  await server.onDuty(colleague)
  const colleagueSignInUid = await signInUidOf(server, eventUid, colleague)
  const askers = new Map<string, OnDuty>()
  for (const [name, { asker, ownOffer }] of wardens) {
    const { token } = await server.onDuty(asker)
    const own = await uidsFor(server, { org, eventUid, evacuee, receiver }, asker)
    askers.set(name, { asker, token, own: { ...own, ownOffer, chainSignIn: colleagueSignInUid } })
    if (name === 'handOver') await putInCommand(server, eventUid, await signInUidOf(server, eventUid, asker))
  }
  await giveFloors(server, { org, eventUid, askers, colleagueSignInUid })
  return { askers, colleague, colleagueSignInUid }
}

/** What the calls of floors without a warden need: a claim to give back, someone on duty to ask, an offer to answer. */
async function giveFloors(
  { db }: TestServer,
  { org, eventUid, askers, colleagueSignInUid }: Given & { colleagueSignInUid: SignInUid },
) {
  const [ground, , level2] = org.floors
  const place = { clientUid: org.clientUid, eventUid, buildingUid: org.buildingUid, floorUid: ground }
  const [givesBack, offers, answers] = ['giveBackFloor', 'offerFloor', 'answerOffer'].map((name) => askers.get(name))
  if (givesBack) {
    givesBack.own.floor = ground
    const signInUid = givesBack.own.ownSignIn as SignInUid
    await db
      .insertInto('floorClaim')
      .values({ ...place, signInUid })
      .execute()
  }
  if (offers) Object.assign(offers.own, { floor: level2, eventWardenSignIn: colleagueSignInUid })
  if (!answers) return
  const uid = (inputsOf({ name: 'answerOffer' }).body as { offer: FloorOfferUid }).offer
  const toSignInUid = answers.own.ownSignIn as SignInUid
  await db
    .insertInto('floorOffer')
    .values({ ...place, uid, toSignInUid, bySignInUid: colleagueSignInUid, endsAt: new Date(Date.now() + 60_000) })
    .execute()
}

/** Calls of wardens of a floor. */
const needsOwnFloor = new Set(['takeForDay'])

async function givenAsker({ given }: TestServer, org: Organisation, name: string, modules: readonly ModuleFlag[]) {
  const post = needsOwnFloor.has(name) ? { floorUid: org.floors[1] } : ({ role: 'Chief Warden' } as const)
  const asker = await given.warden(org, { ...post, modules })
  return { asker, ownOffer: await given.assignment(asker, org, { role: 'Building Warden', status: 'Offered' }) }
}

/** The module that a call needs, by its policy or for its input. */
export function neededModules(name: string): ModuleFlag[] {
  const call = signedInCalls.find((one) => one.name === name)
  const flag = call && call.policy.access !== 'public' ? call.policy.flag : undefined
  return [flag, inputsOf({ name }).flag].filter((one) => one !== undefined)
}

export const everyModule = () => moduleFlags
