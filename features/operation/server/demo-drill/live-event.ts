import { randomUUID } from 'node:crypto'
import { writeBroadcastPage } from '#features/events/server/broadcast.queries.ts'
import { makeLive, noteSeen } from '#features/events/server/made-live.service.ts'
import { startOrExtend } from '#features/events/server/start-event.service.ts'
import { handle } from '#features/self-report/server/handling.service.ts'
import { insertReport } from '#features/self-report/server/store-report.queries.ts'
import type { EventUid, SelfReportUid } from '#kernel/ids.ts'
import { record, unattended } from '#server/platform/db/journal.ts'
import { sha256 } from '#server/platform/secrets.ts'
import { type Act, actsOn, end, onDutyAs, playActs, type Warden } from './acts.ts'
import * as queries from './demo-drill.queries.ts'
import type { Stage } from './stage.ts'

/** When a pan burned in the kitchen of Tower B, in seconds after the start of the drill. */
const liveAfter = 150
/** The server was updated; the mobile network was full. */
const [outage, silence] = [
  { from: 260, to: 318 },
  { from: 470, to: 600 },
]

/** A drill in Tower B that no one was told of, and that becomes a live event: what the other record of the demo has not got. */
export async function playLiveEvent(stage: Stage): Promise<void> {
  const [grace, daniel] = [await stage.signIn('W01', 'Mac'), await stage.signIn('W02', 'iPhone')]
  const [mei, lucas] = [await stage.signIn('W03', 'Windows'), await stage.signIn('W06', 'Android')]
  const eventUid = await start(stage, grace)
  await stage.dated(eventUid, 0)
  await playActs(stage, eventUid, [
    [8, () => queries.deliverTexts(stage.tx, eventUid)],
    [14, () => lucas.reportIn()],
    [22, () => daniel.reportIn()],
    [35, () => mei.reportIn()],
    ...(await towerB(stage, eventUid, { lucas, daniel })),
    [liveAfter, () => goLive(stage, grace, eventUid)],
    [liveAfter + 7, () => queries.deliverTexts(stage.tx, eventUid)],
    ...[lucas, daniel, mei].map(
      (warden, nth): Act => [
        liveAfter + 3 + nth,
        async () => noteSeen(stage.tx, await onDutyAs(warden), { event: eventUid }),
      ],
    ),
    ...callsForHelp(stage, eventUid, daniel),
    [outage.to, () => queries.noteOutage(stage.tx, stage.clientUid, eventUid, between(stage, outage))],
    [silence.to, () => queries.noteSilence(stage.tx, eventUid, between(stage, silence))],
    [885, () => queries.noteContact(stage.tx, eventUid, stage.moment(900))],
    [900, () => end(stage, grace, ['TB'], 'The fire is out. Thank you. You may go back in.')],
    [907, () => queries.deliverTexts(stage.tx, eventUid)],
  ])
  await stage.close(-90)
}

const between = ({ moment }: Stage, { from, to }: { from: number; to: number }) => ({
  from: moment(from),
  to: moment(to),
})

async function start({ app, tx, places }: Stage, chief: Warden): Promise<EventUid> {
  const { event } = await startOrExtend(app, tx, await chief.actor(), {
    buildings: [places.buildings.TB],
    eventType: places.eventTypes.FIRE,
    message: 'Fire reported in Tower B. Leave now by the nearest safe exit.',
    broadcastMessage: 'yes',
    alertToWarden: 'yes',
    kind: 'drill',
    announced: 'no',
  })
  while (await writeBroadcastPage(tx));
  if (!event) throw new Error('the live event of the demo did not start')
  return event.id
}

async function goLive({ app, tx }: Stage, chief: Warden, event: EventUid): Promise<void> {
  const message = 'THIS IS NOT A DRILL. Fire in the kitchen of Tower B. Leave now.'
  await makeLive(app, tx, await chief.actor(), { event, message })
  while (await writeBroadcastPage(tx));
}

/** Two floors in the drill, and all five from then on. One person waits behind the smoke, and one is found last. */
async function towerB(
  stage: Stage,
  eventUid: EventUid,
  { lucas, daniel }: Record<'lucas' | 'daniel', Warden>,
): Promise<Act[]> {
  const { sweep, floorOf } = actsOn(stage)
  const floor = (code: queries.FloorCode) => floorOf(eventUid, code)
  const [four, three, two] = [await floor('TB/L4'), await floor('TB/L3'), await floor('TB/L2')]
  const [one, ground] = [await floor('TB/L1'), await floor('TB/G')]
  const waiting = two.people.slice(0, 1)
  return [
    ...sweep(lucas, four, { from: 40, every: 12, clearAt: 92 }),
    ...sweep(lucas, three, { from: 96, every: 14, clearAt: 141 }),
    ...sweep(lucas, four, { from: 165, every: 8, clearAt: 205 }),
    ...sweep(lucas, three, { from: 208, every: 10, clearAt: 254, missing: 1 }),
    ...sweep(lucas, two, { from: 322, every: 10, clearAt: 452, without: waiting }),
    [330, () => lucas.mark(waiting, 'danger', two.uid)],
    [444, () => lucas.mark(waiting, 'safe', two.uid)],
    ...sweep(daniel, one, { from: 325, every: 11, clearAt: 384 }),
    ...sweep(daniel, ground, { from: 388, every: 12, clearAt: 460 }),
    [622, () => daniel.mark(three.people.slice(-1), 'safe', three.uid)],
  ]
}

/** Three people press 'I need help' on the poster's page. Two get an answer. */
function callsForHelp(stage: Stage, eventUid: EventUid, warden: Warden): Act[] {
  const { tx, clientUid, places } = stage
  const made = [
    { at: 185, answered: 231, floor: 'TB/L2', words: 'Smoke in the corridor. I am in the meeting room.' },
    { at: 340, answered: 401, floor: 'TB/L1', words: 'A colleague has turned her ankle on the stairs.' },
    { at: 612, answered: null, floor: 'TB/G', words: 'Who opens the gate of the yard?' },
  ] as const
  return made.flatMap(({ at, answered, floor, words }): Act[] => {
    const uid = randomUUID() as SelfReportUid
    const call = async () => {
      const place = { buildingUid: places.buildings.TB, floorUid: places.floors[floor] }
      const line = { network: 'demo', home: 'demo', site: 'demo', formKey: sha256(uid), nth: 0 }
      const said = { status: 'help', words, saidName: null, saidMobile: null } as const
      await insertReport(tx, { clientUid, uid, eventUid, way: 'poster', evacueeUid: null, ...place, ...line, ...said })
      await record(tx, unattended(clientUid), {
        action: 'self_report_made',
        subjectType: 'event',
        subjectUid: eventUid,
        eventUid,
        after: { report: uid, way: 'poster', says: 'help' },
      })
    }
    const answer = async () => handle(tx, await warden.handler(), uid, { act: 'answered', who: 'Daniel Reyes' })
    const came: Act = [at, call]
    return answered === null ? [came] : [came, [answered, answer]]
  })
}
