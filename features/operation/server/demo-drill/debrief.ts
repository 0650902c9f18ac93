import { commitOfAddition } from '#features/log/server/log-additions.service.ts'
import type { NewAddition } from '#features/records/calls/additions.ts'
import { add, isNote, loggedAdditions } from '#features/records/server/additions.service.ts'
import { note, noterOf } from '#features/records/server/observing/observing.service.ts'
import type { checklist } from '#features/records/words.ts'
import type { EventUid, PlaceUid } from '#kernel/ids.ts'
import { commitAddition, getDemoPerson } from './demo-drill.queries.ts'
import type { Stage } from './stage.ts'

type Answer = 'Yes' | 'No' | 'Not seen'
const minute = 60
const day = 86_400

/** What people added to the record of the demo's drill: on the day, and in the week after it. */
export async function playDebrief(stage: Stage, eventUid: EventUid): Promise<void> {
  const [grace, daniel] = [await stage.signIn('W01', 'Mac'), await stage.signIn('W02', 'iPhone')]
  const [chief, deputy] = [addsOf(stage, eventUid, grace), addsOf(stage, eventUid, daniel)]
  for (const [seconds, fact, value] of facts) await chief(seconds, { kind: 'fact', body: { fact, value } })
  const observed = await observe(stage, chief, deputy)
  for (const [seconds, item, answer, note] of answers)
    await deputy(seconds, { kind: 'checklist', body: { item, answer, ...(note && { note }) } })
  await agreeOnActions(stage, chief, deputy, observed)
  await chief(6 * day, { kind: 'sign_off', body: {} })
  await stage.close(19 * minute)
}

type Adds = (seconds: number, added: NewAddition) => Promise<string>

/** Adds to the record as the warden, and dates it. Returns the uid. */
const addsOf =
  (stage: Stage, eventUid: EventUid, warden: Awaited<ReturnType<Stage['signIn']>>): Adds =>
  async (seconds, added) => {
    const [actor, now] = [await warden.actor(), stage.moment(seconds)]
    const { entry } = isNote(added)
      ? await note(stage.tx, await noterOf(stage.tx, actor, eventUid), added, { at: null, now })
      : await add(stage.tx, actor, eventUid, added, now)
    await stage.dated(eventUid, seconds)
    const addition = (await loggedAdditions(stage.tx, stage.clientUid, eventUid)).get(entry.uid)
    if (addition) await commitAddition(stage.tx, eventUid, entry.uid, commitOfAddition(addition))
    return entry.uid
  }

const facts = [
  [20 * minute, 'scenario', 'Smoke from the kitchen on Level 4 of Tower A. Stair 1 is not to be used.'],
  [21 * minute, 'how_it_began', 'The chief warden set off the alarm at the panel in the foyer.'],
  [21 * minute + 20, 'extent', 'Whole site'],
  [22 * minute, 'weather', 'Dry, 19 °C, light wind'],
  [23 * minute, 'head_count', '192'],
] as const

const answers: readonly [number, (typeof checklist)[number], Answer, string?][] = [
  [40 * minute, 'Alarm heard everywhere?', 'No', 'Hardly heard in the meeting rooms on Level 3.'],
  [40 * minute + 15, 'Wardens wore identification?', 'Yes'],
  [40 * minute + 30, 'Areas searched?', 'No', 'The meeting room on Level 3 was searched on the second round.'],
  [40 * minute + 40, 'Lifts not used?', 'Yes'],
  [40 * minute + 50, 'People with an evacuation plan assisted?', 'Yes'],
  [41 * minute, 'Nobody went back in?', 'Not seen'],
  [50 * minute, 'Debrief held?', 'Yes'],
]

async function observe({ moment, places }: Stage, chief: Adds, deputy: Adds) {
  const seen = (
    by: Adds,
    at: number,
    seenAt: number,
    tone: 'Went well' | 'To improve',
    place: PlaceUid,
    text: string,
  ) => by(at, { kind: 'observation', observed_at: moment(seenAt).toISOString(), body: { tone, place, text } })
  await seen(
    deputy,
    31 * minute,
    4 * minute,
    'Went well',
    places.buildings.TB,
    'Tower B was empty after six minutes. Lucas went from the top floor down.',
  )
  const noWarden = await seen(
    deputy,
    33 * minute,
    9 * minute,
    'To improve',
    places.floors['TA/L4'],
    'No one was warden of Level 4. I found most people still at their desks.',
  )
  const early = await seen(
    chief,
    35 * minute,
    5 * minute,
    'To improve',
    places.floors['TA/L3'],
    'Level 3 was reported clear before the meeting room was searched. Two people were in it.',
  )
  return { noWarden, early }
}

async function agreeOnActions(
  stage: Stage,
  chief: Adds,
  deputy: Adds,
  { noWarden, early }: Awaited<ReturnType<typeof observe>>,
) {
  const { uid: person, name } = await getDemoPerson(stage.tx, stage.clientUid, 'W02')
  const owner = { person, name }
  const dayOf = (days: number) =>
    stage
      .moment(days * day)
      .toISOString()
      .slice(0, 10)
  await chief(2 * 60 * minute, {
    kind: 'action',
    body: {
      what: 'Appoint and train a warden for Level 4 of Tower A',
      priority: 'High',
      owner,
      why: 'The floor was cleared last, after almost twelve minutes.',
      due: dayOf(28),
      from: noWarden,
    },
  })
  const search = await chief(2 * 60 * minute + 90, {
    kind: 'action',
    body: {
      what: 'Put the meeting rooms on the search card of each floor',
      priority: 'Medium',
      owner,
      due: dayOf(7),
      from: early,
    },
  })
  await deputy(5 * day, {
    kind: 'action_step',
    body: { target: search, base: search, step: 'done', note: 'New cards are at the wardens’ desks.' },
  })
}
