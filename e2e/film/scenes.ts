import { setTimeout as delay } from 'node:timers/promises'
import { expect, type Page } from '@playwright/test'
import { makePack, noteHazard } from '#features/arrival-pack/calls.ts'
import { type BoardPlaces, getBoardPlaces } from '#features/board/calls/board.ts'
import { makeWall } from '#features/board/calls/walls.ts'
import { sendInstruction, understand } from '#features/command/calls/instructions.ts'
import type { ChosenKind } from '#features/command/kinds.ts'
import { claimFloor } from '#features/coverage/calls/coverage.ts'
import { toggleRefusal } from '#features/evacuation/calls/evacuation.ts'
import { getBrief } from '#features/events/calls/brief.ts'
import { createEvent, endEvent, listEventSites } from '#features/events/calls/events.ts'
import { getReportCode, handleReport, listReports } from '#features/self-report/calls.ts'
import type { EventUid } from '#kernel/ids.ts'
import type { Product } from '../../rig/product.ts'
import { mark, press, reportInOn, signInOn } from '../support/test.ts'
import { buildingOf, callForHelp, nthName, peopleOf, setStatus, work } from './acts.ts'
import type { Camera } from './camera.ts'
import {
  buildingNames,
  emailOf,
  type FloorCode,
  floorCodes,
  managerOf,
  type Phone,
  phoneOf,
  wardensOf,
} from './cast.ts'
import { type Done, expectShown, type Figures, figuresOf, untilWhole } from './figures.ts'

const commandMinutes = 2

/** The whole evacuation, from before it begins until the record is open. */
export async function play(product: Product, camera: Camera) {
  const done: Done = {}
  const count = (action: string, times = 1) => {
    done[action] = (done[action] ?? 0) + times
  }
  const frames: (Partial<Figures> & { frame: string })[] = []
  await product.pool.query('update client set command_minutes = $1', [commandMinutes])

  const chief = await managerOf(product, 'chief')
  const { data } = await chief(listEventSites, {})
  const place = data.sites[0] as NonNullable<(typeof data.sites)[0]>
  const { url: wallUrl } = await chief(makeWall, {
    body: { site: place.id as never, name: 'Control room', place: 'team', days: 1 },
  })
  const [board, deputyBoard, wall, north, south] = [
    await camera.desk(),
    await camera.desk(),
    await camera.wall(),
    await camera.phone('dark'),
    await camera.phone('light'),
  ]
  let phones: [Page, Page] = [north, south]
  let leader = { board, call: chief }
  const take = async (title: string, { isRunning = true } = {}) => {
    // a board is at most a second old, and is read again within another
    await delay(2500)
    const figures = isRunning ? await figuresOf(leader.call) : undefined
    if (figures) for (const screen of [leader.board, wall]) await expectShown(screen, figures)
    const nth = await camera.frame(title, { board: leader.board, wall, phones })
    frames.push({ frame: `${nth}. ${title}`, ...figures })
    return figures
  }

  await wall.goto(wallUrl)
  await expect(wall.getByText('No Current Events')).toBeVisible()
  for (const [page, code] of [
    [board, 'chief'],
    [deputyBoard, 'deputy'],
    [north, 'N7'],
    [south, 'S3'],
  ] as const)
    await signInOn(page, emailOf(code))
  await board.goto('/event/board')
  await take('Before the event', { isRunning: false })

  await chief(createEvent, {
    body: {
      buildings: place.buildings.map(({ id }) => id),
      eventType: data.eventTypes.find(({ type }) => type === 'Fire')?.id as never,
      message: 'Fire alarm. Evacuate now.',
      broadcastMessage: 'yes',
      alertToWarden: 'yes',
      kind: 'live',
    },
  })
  count('event_started')
  await board.goto('/event/board')
  await expect(north.getByRole('button', { name: 'Report In - Available' })).toBeVisible({ timeout: 20_000 })
  await take('The chief starts a fire event in three buildings')

  for (const page of phones) await reportInOn(page)
  await reportInOn(deputyBoard)
  await deputyBoard.goto('/event/board')
  const silentFloors: FloorCode[] = ['N11', 'S9']
  const codes = [
    'north',
    'south',
    ...floorCodes.filter((floor) => !silentFloors.includes(floor)).flatMap((floor) => [...wardensOf(floor)]),
  ]
  const crew = new Map<string, Phone>()
  for (const code of codes) if (code !== 'N7' && code !== 'S3') crew.set(code, await phoneOf(product, code))
  const deputy = await managerOf(product, 'deputy')
  // the chief, the deputy and two wardens in browsers
  count('reported_in', crew.size + 4)
  for (const page of phones) await page.goto('/floor/evacuation')
  await take(`${crew.size + 4} wardens have reported in, two floors have none`)

  const { buildings: placesOf } = (await chief(getBoardPlaces, {})) as BoardPlaces
  const idsOf = (name: string, levels: (level: number) => boolean) =>
    placesOf
      .find((one) => one.name === name)
      ?.floors.flatMap(({ id, level }) => (level !== null && levels(level) ? [id] : [])) as never[]
  const instruct = async (kind: ChosenKind, message: string, floors: never[] | 'all') => {
    count('instruction_sent')
    await leader.call(sendInstruction, { body: { kind, message, floors: floors as never, text: 'no' } })
  }
  const tower = buildingNames[0] as string
  await instruct('stay', 'Stay where you are. Close doors and windows. Wait for the next instruction.', 'all')
  await instruct(
    'prepare',
    'Get ready to leave. Find out who needs help.',
    idsOf(tower, (level) => level < 6 || level > 8),
  )
  await instruct(
    'evacuate',
    'Evacuate your floor now by the nearest safe stair.',
    idsOf(tower, (level) => level >= 6 && level <= 8),
  )
  await expect(north.getByRole('alertdialog', { name: 'Evacuate' })).toBeVisible()
  await expect(south.getByRole('alertdialog', { name: 'Stay' })).toBeVisible()
  await take('First phase: three floors evacuate, their tower gets ready, the others stay')

  const answer = async (pages: readonly Page[] = phones) => {
    for (const { call } of crew.values()) {
      const { instruction } = await call(getBrief, {})
      if (!instruction) continue
      await call(understand, { params: { uid: instruction.uid } })
      count('instruction_understood')
    }
    for (const page of pages) {
      await page.getByRole('alertdialog').getByRole('button', { name: 'Understood' }).click()
      count('instruction_understood')
    }
  }
  await answer([...phones, deputyBoard])
  await setStatus(north, 'Evacuating')
  await mark(north, await nthName(north, 1), 'Danger on floor')
  count('floor_status_set')
  count('evacuee_status_set')
  for (const floor of ['N6', 'N8'] as const)
    await work(crew.get(floor), { safe: 5, danger: floor === 'N8' ? 1 : 0, status: 'Evacuating', count })
  await chief(noteHazard, { body: { text: 'Smoke in the north stair from level 7 up' } })
  count('hazard_noted')
  await take('Everyone has understood; three floors are searched, two people are in danger')

  const { url: poster } = await chief(getReportCode, { query: { site: place.id as never } })
  for (let n = 1; n <= 12; n++) await callForHelp(poster, n)
  count('self_report_made', 12)
  const visitor = await camera.stranger()
  await visitor.goto(poster)
  phones = [north, visitor]
  await expect.poll(async () => (await figuresOf(chief)).calls).toBe(12)
  await take('Twelve people call for help by the poster')

  const { reports } = await chief(listReports, { query: { state: 'open' } })
  for (const [n, { uid }] of reports.entries()) {
    const act = n < 10 ? 'answered' : 'false'
    await chief(handleReport, {
      params: { uid },
      body: { act, ...(act === 'answered' && { who: 'Nora Blum and two wardens' }) },
    })
    count('self_report_handled')
  }
  phones = [north, south]
  await crew.get('N12')?.call(claimFloor, { body: { floorId: idsOf(tower, (level) => level === 11)[0] as never } })
  count('floor_claimed')
  await take('The calls are answered, and a warden takes a floor without one')

  const { url: pack } = await chief(makePack, { body: { hours: 4, plans: 'yes' } })
  count('pack_made')
  const readers = [await camera.stranger(), await camera.stranger()] as const
  for (const [page, name] of [
    [readers[0], 'Kim, Engine 4'],
    [readers[1], 'Duty officer, Ladder 2'],
  ] as const) {
    await page.goto(pack)
    await page.getByLabel('Your name and unit').fill(name)
    await press(page, 'Open as fire service')
    await expect(page.getByText('Refresh')).toBeVisible()
    count('pack_opened')
  }
  phones = [readers[0], readers[1]]
  await take('Two fire officers open the arrival pack')

  phones = [north, south]
  await camera.cutOff(board)
  for (const floor of floorCodes.filter((code) => code.startsWith('N') && code !== 'N7'))
    await work(crew.get(silentFloors.includes(floor) ? 'N12' : floor), {
      safe: 3,
      danger: 0,
      status: 'Evacuating',
      count,
      floor: idsOf(tower, (level) => level === Number(floor.slice(1)))[0],
    })
  const asked = deputyBoard.getByRole('alertdialog', { name: /has been out of contact for \d+ min\. Take command\?$/ })
  await expect(asked).toBeVisible({ timeout: (commandMinutes + 2) * 60_000 })
  count('command_silent')
  leader = { board: deputyBoard, call: deputy }
  phones = [north, board]
  await take('The chief is cut off and not heard; the deputy is asked')

  await asked.getByRole('button', { name: 'Take command' }).click()
  count('command_changed')
  await expect(north.getByText(/^Now in command: /)).toBeVisible()
  phones = [north, south]
  await take('The deputy is in command')

  await instruct('evacuate', 'Evacuate your floor now by the nearest safe stair.', 'all')
  for (const page of phones) await expect(page.getByRole('alertdialog', { name: 'Evacuate' })).toBeVisible()
  await take('Second phase: everyone evacuates')

  await answer()
  await board.context().setOffline(false)
  for (const floor of floorCodes.filter((code) => code !== 'N7' && code !== 'S3')) {
    const [id] = idsOf(buildingOf(floor), (level) => level === Number(floor.slice(1)))
    const helper = floor === 'N11' ? 'N12' : floor === 'S9' ? 'S8' : floor
    await work(crew.get(helper), {
      safe: 99,
      danger: 0,
      status: 'Evacuated',
      count,
      floor: id,
      unknown: floor === 'S5' ? 1 : 0,
    })
  }
  for (const page of phones) await setStatus(page, 'Evacuated')
  count('floor_status_set', 2)
  await take('All floors are reported clear; someone is in danger on one of them')

  for (const floor of ['N7', 'N8', 'S3'] as const) {
    const [id] = idsOf(buildingOf(floor), (level) => level === Number(floor.slice(1)))
    await work(crew.get(`${floor}b`), { safe: 99, count, floor: id })
  }
  for (const floor of ['S3', 'L4'] as const) {
    const [id] = idsOf(buildingOf(floor), (level) => level === Number(floor.slice(1)))
    const { call, persons } = await peopleOf(crew.get(`${floor}b`), id)
    await call(toggleRefusal, { body: { person: persons[0]?.id as never, floorId: id as never } })
    count('evacuee_refusal_set')
  }
  await instruct('all_clear', 'The danger is over. Wait at the assembly point.', 'all')
  await answer()
  for (const page of readers) await page.getByRole('link', { name: 'Refresh' }).click()
  phones = [north, readers[0]]
  await untilWhole(deputy)
  const last = (await take('All clear: one person of 252 is unknown')) as Figures

  const { data: now } = await deputy(listEventSites, {})
  const eventUid = now.activeEvent?.id as EventUid
  await deputy(endEvent, {
    body: {
      buildings: place.buildings.map(({ id }) => id),
      eventType: now.activeEvent?.eventType as never,
      message: 'It has concluded.',
      broadcastMessage: 'yes',
    },
  })
  count('event_ended')
  await expect(wall.getByText('No Current Events')).toBeVisible()
  phones = [north, south]
  await take('The deputy ends the event', { isRunning: false })
  const showRecord = async () => {
    await deputyBoard.goto(`/event/records/${eventUid}`)
    await expect(deputyBoard.getByRole('heading', { name: 'Summary' })).toBeVisible()
    await take('The record of the event', { isRunning: false })
  }
  return { frames, manager: deputy, eventUid, last, done, showRecord }
}
