import { commitOfAddition } from '#features/log/server/log-additions.service.ts'
import type { NewAddition } from '#features/records/calls/additions.ts'
import { add, isNote, loggedAdditions } from '#features/records/server/additions.service.ts'
import { note, noterOf } from '#features/records/server/observing/observing.service.ts'
import type { checklist } from '#features/records/words.ts'
import type { EventUid } from '#kernel/ids.ts'
import { commitAddition, getDemoPerson } from './demo-drill.queries.ts'
import type { Stage } from './stage.ts'

type Answer = 'Yes' | 'No' | 'Not seen'
const minute = 60
const day = 86_400

/** What people added to the record of the demo's drill: on the day, and in the week after it. */
export async function playDebrief(stage: Stage, eventUid: EventUid): Promise<void> {
  const [grace, daniel] = [await stage.signIn('W01', 'Mac'), await stage.signIn('W02', 'iPhone')]
  const { places } = stage
  const adds =
    (warden: typeof grace) =>
    async (seconds: number, added: NewAddition): Promise<string> => {
      const [actor, now] = [await warden.actor(), stage.moment(seconds)]
      const { entry } = isNote(added)
        ? await note(stage.tx, await noterOf(stage.tx, actor, eventUid), added, { at: null, now })
        : await add(stage.tx, actor, eventUid, added, now)
      await stage.dated(eventUid, seconds)
      const addition = (await loggedAdditions(stage.tx, stage.clientUid, eventUid)).get(entry.uid)
      if (addition) await commitAddition(stage.tx, eventUid, entry.uid, commitOfAddition(addition))
      return entry.uid
    }
  const [chief, deputy] = [adds(grace), adds(daniel)]
  const fact = (
    seconds: number,
    fact: 'scenario' | 'how_it_began' | 'extent' | 'weather' | 'head_count',
    value: string,
  ) => chief(seconds, { kind: 'fact', body: { fact, value } })
  const check = (seconds: number, item: (typeof checklist)[number], answer: Answer, note?: string) =>
    deputy(seconds, { kind: 'checklist', body: { item: item, answer, ...(note && { note }) } })
  const seen = (seconds: number) => stage.moment(seconds).toISOString()
  const dayOf = (days: number) =>
    stage
      .moment(days * day)
      .toISOString()
      .slice(0, 10)

  await fact(20 * minute, 'scenario', 'Smoke from the kitchen on Level 4 of Tower A. Stair 1 is not to be used.')
  await fact(21 * minute, 'how_it_began', 'The chief warden set off the alarm at the panel in the foyer.')
  await fact(21 * minute + 20, 'extent', 'Whole site')
  await fact(22 * minute, 'weather', 'Dry, 19 °C, light wind')
  await fact(23 * minute, 'head_count', '192')
  await deputy(31 * minute, {
    kind: 'observation',
    observed_at: seen(4 * minute),
    body: {
      tone: 'Went well',
      place: places.buildings.TB,
      text: 'Tower B was empty after six minutes. Lucas went from the top floor down.',
    },
  })
  const noWarden = await deputy(33 * minute, {
    kind: 'observation',
    observed_at: seen(9 * minute),
    body: {
      tone: 'To improve',
      place: places.floors['TA/L4'],
      text: 'No one was warden of Level 4. I found most people still at their desks.',
    },
  })
  const early = await chief(35 * minute, {
    kind: 'observation',
    observed_at: seen(5 * minute),
    body: {
      tone: 'To improve',
      place: places.floors['TA/L3'],
      text: 'Level 3 was reported clear before the meeting room was searched. Two people were in it.',
    },
  })
  await check(40 * minute, 'Alarm heard everywhere?', 'No', 'Hardly heard in the meeting rooms on Level 3.')
  await check(40 * minute + 15, 'Wardens wore identification?', 'Yes')
  await check(
    40 * minute + 30,
    'Areas searched?',
    'No',
    'The meeting room on Level 3 was searched on the second round.',
  )
  await check(40 * minute + 40, 'Lifts not used?', 'Yes')
  await check(40 * minute + 50, 'People with an evacuation plan assisted?', 'Yes')
  await check(41 * minute, 'Nobody went back in?', 'Not seen')
  await check(50 * minute, 'Debrief held?', 'Yes')

  const owner = async (code: string) => {
    const { uid, firstName, lastName } = await getDemoPerson(stage.tx, stage.clientUid, code)
    return { person: uid, name: `${firstName} ${lastName}` }
  }
  await chief(2 * 60 * minute, {
    kind: 'action',
    body: {
      what: 'Appoint and train a warden for Level 4 of Tower A',
      priority: 'High',
      owner: await owner('W02'),
      why: 'The floor was cleared last, after almost twelve minutes.',
      due: dayOf(28),
      from: noWarden,
    },
  })
  const search = await chief(2 * 60 * minute + 90, {
    kind: 'action',
    body: {
      ...{
        what: 'Put the meeting rooms on the search card of each floor',
        priority: 'Medium',
        owner: await owner('W02'),
      },
      due: dayOf(7),
      from: early,
    },
  })
  await deputy(5 * day, {
    kind: 'action_step',
    body: { target: search, base: search, step: 'done', note: 'New cards are at the wardens’ desks.' },
  })
  await chief(6 * day, { kind: 'sign_off', body: {} })
  await stage.close(19 * minute)
}
