import type { Page } from '@playwright/test'
import { setFloorStatus, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import { press } from '../support/test.ts'
import { buildingNames, floorOf, type Phone } from './cast.ts'

export const buildingOf = (floor: string) => buildingNames[['N', 'S', 'L'].indexOf(floor[0] as string)] as string

export async function setStatus(page: Page, status: 'Evacuating' | 'Evacuated') {
  await page.getByRole('combobox', { name: 'Floor status', exact: true }).selectOption(status)
  // while people of the floor are not safe, a status that means clear is asked about
  if (status === 'Evacuated') await press(page, 'Set it')
}

interface Work {
  /** People who are found safe, at most. */
  safe: number
  /** People who are found in danger. */
  danger?: number
  /** People who stay unknown. */
  unknown?: number
  status?: string
  /** A floor that is not their own. */
  floor?: string | undefined
  count: (action: string, times?: number) => void
}

/** A warden finds people of a floor and sets its status. */
export async function work(phone: Phone | undefined, { safe, danger = 0, unknown = 0, status, floor, count }: Work) {
  const { call, persons, floorId, statusNamed } = await peopleOf(phone, floor)
  const record = async (personId: string, to: 'safe on floor' | 'danger') => {
    await call(setPersonStatus, { body: { personId: personId as never, status: to, floorId } })
    count('evacuee_status_set')
  }
  const left = persons.filter((person) => !/safe/i.test(person.status)).slice(unknown)
  for (const { id } of left.slice(0, danger)) await record(id, 'danger')
  for (const { id } of left.slice(danger, danger + safe)) await record(id, 'safe on floor')
  if (!status) return
  await call(setFloorStatus, { body: { floorId, floorStatusId: statusNamed(status) } })
  count('floor_status_set')
}

export async function peopleOf(phone: Phone | undefined, floor?: string) {
  if (!phone) throw new Error('no one has this phone')
  return { call: phone.call, ...(await floorOf(phone, floor)) }
}

/** From a network of its own, as a phone that has read the poster. */
export async function callForHelp(poster: string, n: number) {
  const page = await (await fetch(poster)).text()
  const places = [...page.matchAll(/<option value="(\w{8})">/g)].map(([, value]) => value as string)
  const form = {
    say: 'help',
    form: `film${String(n).padStart(18, '0')}`,
    place: places[n * 2] ?? '',
    ...{
      words: ['Smoke on the stair', 'Door is jammed', 'I cannot walk', ''][n % 4] as string,
      name: n % 2 ? `Caller ${n}` : '',
      mobile: '',
    },
  }
  const answer = await fetch(poster, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { 'x-forwarded-for': `198.51.100.${n}` },
  })
  if (!(await answer.text()).includes('A warden will read this.')) throw new Error(`the poster did not take call ${n}`)
}

export const nthName = async (page: Page, nth: number) =>
  (await page.getByRole('heading', { level: 3 }).nth(nth).textContent()) ?? ''
