import { noteUnderstood, send } from '#features/command/server/instruction.service.ts'
import { writeBroadcastPage } from '#features/events/server/broadcast.queries.ts'
import { shrinkOrEnd } from '#features/events/server/end-event.service.ts'
import { startOrExtend } from '#features/events/server/start-event.service.ts'
import type { EventUid, FloorUid, InstructionUid, PersonUid } from '#kernel/ids.ts'
import { type DutyActor, onDuty } from '#server/wardens/actor.ts'
import * as queries from './demo-drill.queries.ts'
import type { Stage } from './stage.ts'

export type Warden = Awaited<ReturnType<Stage['signIn']>>
/** What happens so many seconds after the start. */
export type Act = [seconds: number, act: () => Promise<unknown>]

/** An announced drill in both towers of Harbour Quarter. Each of its acts shows something in the record. */
export async function playDrill(stage: Stage): Promise<EventUid> {
  const [grace, daniel, mei] = [
    await stage.signIn('W01', 'Mac'),
    await stage.signIn('W02', 'iPhone'),
    await stage.signIn('W03', 'Windows'),
  ]
  const [oliver, aisha, lucas] = [
    await stage.signIn('W04', 'Android'),
    await stage.signIn('W05', 'iPhone'),
    await stage.signIn('W06', 'Android'),
  ]
  const [sofia, wade] = [await stage.signIn('W10', 'iPhone'), await stage.signIn('W12', 'Android')]
  const eventUid = await start(stage, grace)
  await stage.dated(eventUid, 0)
  const acts: Act[] = [
    [9, () => queries.deliverTexts(stage.tx, eventUid)],
    [14, () => mei.reportIn()],
    [21, () => oliver.reportIn()],
    [29, () => lucas.reportIn()],
    [38, () => aisha.reportIn()],
    [52, () => daniel.reportIn()],
    [66, () => sofia.notAvailable()],
    // thought that the alarm was a test
    [161, () => wade.reportIn()],
    ...(await towerA(stage, eventUid, { grace, daniel, mei, oliver, aisha, wade })),
    ...(await towerB(stage, eventUid, lucas)),
    ...instruct(stage, grace, [mei, oliver, aisha]),
    // everyone was out: its wardens went off duty while Tower A was still searched
    [640, () => leave(stage, grace)],
    [877, () => end(stage, grace, ['TA', 'TB'], 'The drill is over. Thank you. You may go back in.')],
    [884, () => queries.deliverTexts(stage.tx, eventUid)],
  ]
  await playActs(stage, eventUid, acts)
  await stage.close(-90)
  return eventUid
}

/** One after the other, each at its time. */
export async function playActs(stage: Stage, eventUid: EventUid, acts: readonly Act[]): Promise<void> {
  for (const [seconds, act] of acts.toSorted(([one], [other]) => one - other)) {
    await act()
    await stage.dated(eventUid, seconds)
  }
}

async function start({ app, tx, places }: Stage, chief: Warden): Promise<EventUid> {
  const { event } = await startOrExtend(app, tx, await chief.actor(), {
    buildings: [places.buildings.TA, places.buildings.TB],
    eventType: places.eventTypes.DRILL,
    message: 'This is a drill. Please leave by the nearest exit and follow your wardens to the assembly area.',
    broadcastMessage: 'yes',
    alertToWarden: 'yes',
    kind: 'drill',
    announced: 'yes',
  })
  while (await writeBroadcastPage(tx));
  if (!event) throw new Error('the drill of the demo did not start')
  return event.id
}

/** The chief warden closes a stair; not all of those on duty confirm. */
function instruct({ tx }: Stage, chief: Warden, wardens: readonly Warden[]): Act[] {
  let uid: InstructionUid
  return [
    [
      204,
      async () => {
        const told = { kind: 'evacuate', message: 'Smoke in Stair 1. Use Stair 2.', floors: 'all', text: 'no' } as const
        ;({ uid } = await send(tx, await onDutyAs(chief), told))
      },
    ],
    ...wardens.map((warden, nth): Act => [213 + nth * 9, async () => noteUnderstood(tx, await onDutyAs(warden), uid)]),
  ]
}

/** Tower B leaves the drill. */
async function leave({ app, tx, places }: Stage, chief: Warden): Promise<void> {
  await shrinkOrEnd(app, tx, await chief.actor(), {
    buildings: [places.buildings.TB],
    eventType: places.eventTypes.DRILL,
    broadcastMessage: 'no',
    message: 'The drill in Tower B is over. Thank you.',
  })
}

/** The warden, who is on duty. */
export const onDutyAs = async (warden: Warden): Promise<DutyActor> => onDuty(await warden.actor())

export async function end(
  { app, tx, places }: Stage,
  chief: Warden,
  buildings: readonly ('TA' | 'TB')[],
  message: string,
): Promise<void> {
  await shrinkOrEnd(app, tx, await chief.actor(), {
    buildings: buildings.map((code) => places.buildings[code]),
    eventType: places.eventTypes.DRILL,
    message,
    broadcastMessage: 'yes',
  })
  while (await writeBroadcastPage(tx));
}

type WardensOfTowerA = Record<'grace' | 'daniel' | 'mei' | 'oliver' | 'aisha' | 'wade', Warden>

async function towerA(stage: Stage, eventUid: EventUid, of: WardensOfTowerA): Promise<Act[]> {
  const { oliver, aisha, wade, mei, daniel, grace } = of
  const acts = actsOn(stage)
  const { evacuating, evacuated, assistance } = acts.statuses
  const floor = (code: queries.FloorCode) => acts.floorOf(eventUid, code)
  const [ground, one, two] = [await floor('TA/G'), await floor('TA/L1'), await floor('TA/L2')]
  const [three, four] = [await floor('TA/L3'), await floor('TA/L4')]
  const [five, six] = [await floor('TA/L5'), await floor('TA/L6')]
  const helped = two.people.slice(3, 4)
  const [refusing] = five.people
  if (!refusing) throw new Error('no one is on Level 5')
  return [
    ...acts.sweep(mei, ground, { from: 40, every: 25, clearAt: 142 }),
    ...acts.sweep(oliver, three, { from: 48, every: 18, clearAt: 231, missing: 2 }),
    // two were still unknown when the floor was reported clear: it is searched again
    [302, () => oliver.floor(three.uid, evacuating)],
    [356, () => mei.mark(three.people.slice(-2), 'safe', three.uid, 21)],
    [371, () => oliver.floor(three.uid, evacuated)],
    ...acts.sweep(aisha, two, { from: 55, every: 24, clearAt: 289, without: helped }),
    [118, () => aisha.mark(helped, 'danger', two.uid)],
    [121, () => aisha.floor(two.uid, assistance)],
    [274, () => aisha.mark(helped, 'safe', two.uid)],
    ...acts.sweep(wade, one, { from: 176, every: 40, clearAt: 405, missing: 4 }),
    // without signal in the stairs: seen long before they were recorded
    [398, () => wade.mark(one.people.slice(-4), 'safe', one.uid, 96)],
    // no one was warden of these three floors: the deputy went up when they stayed silent
    ...acts.sweep(daniel, six, { from: 240, every: 20, clearAt: 338 }),
    ...acts.sweep(daniel, five, { from: 372, every: 20, clearAt: 493 }),
    [441, () => daniel.refuse(refusing, five.uid)],
    ...acts.sweep(daniel, four, { from: 531, every: 22, clearAt: 704, missing: 1 }),
    [815, () => grace.floor(ground.uid, evacuated)],
  ]
}

async function towerB(stage: Stage, eventUid: EventUid, lucas: Warden): Promise<Act[]> {
  const acts = actsOn(stage)
  const codes = ['TB/L4', 'TB/L3', 'TB/L2', 'TB/L1', 'TB/G'] as const
  const floors = await Promise.all(codes.map((code) => acts.floorOf(eventUid, code)))
  return floors.flatMap((floor, nth) =>
    acts.sweep(lucas, floor, { from: 44 + nth * 61, every: 15, clearAt: 98 + nth * 63 }),
  )
}

interface Sweep {
  from: number
  /** Seconds between two groups of people. */
  every: number
  clearAt: number
  /** So many at the end of the list are not found. */
  missing?: number
  without?: readonly PersonUid[]
}

export function actsOn({ tx, places }: Stage) {
  const { EVACUATING, EVACUATED, ASSISTANCE } = places.statuses
  const statuses = { evacuating: EVACUATING, evacuated: EVACUATED, assistance: ASSISTANCE }
  return {
    statuses,
    floorOf: async (eventUid: EventUid, code: queries.FloorCode) => {
      const uid = places.floors[code]
      return { uid, people: await queries.listUnrecorded(tx, eventUid, uid) }
    },
    /** A warden goes over a floor: group by group is marked safe, then the floor is reported clear. */
    sweep: (
      warden: Warden,
      { uid, people }: { uid: FloorUid; people: readonly PersonUid[] },
      { from, every, clearAt, missing = 0, without = [] }: Sweep,
    ): Act[] => {
      const found = people.slice(0, people.length - missing).filter((person) => !without.includes(person))
      const groups = Math.max(1, Math.min(8, Math.floor((clearAt - from - 12) / every)))
      const size = Math.ceil(found.length / groups)
      return [
        [from, () => warden.floor(uid, statuses.evacuating)],
        ...Array.from({ length: groups }, (_, nth): Act => {
          const seen = found.slice(nth * size, (nth + 1) * size)
          return [from + 6 + nth * every, () => warden.mark(seen, 'safe', uid)]
        }),
        [clearAt, () => warden.floor(uid, statuses.evacuated)],
      ]
    },
  }
}
