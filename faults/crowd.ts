import { setTimeout as delay } from 'node:timers/promises'
import { getFloorData, listOccupants } from '#features/evacuation/calls/evacuation.ts'
import { importOrganisation, type TestOrganisation } from '../rig/organisation.ts'
import type { Random } from '../rig/random.ts'
import { BoardReader } from './board-reader.ts'
import type { Evidence } from './checks/verdict.ts'
import type { History } from './evidence/history.ts'
import { Manager } from './manager.ts'
import { Phone } from './phone.ts'
import { Session } from './session.ts'
import type { Stage } from './stage.ts'

/** Further wardens per organisation. They receive alerts. */
const furtherWardens = 40
/** The largest error of a phone's clock. */
const clockErrorMs = 600_000

export interface Crowd {
  start(): void
  wake(): void
  /**
   * Ends taps and stops ending events. Resolves when nothing is pending and every phone hears its channels, or after
   * `patienceMs`.
   */
  settle(patienceMs: number): Promise<void>
  lastLists(): Promise<Evidence['lastLists']>
  lastBoards(): Promise<Evidence['lastBoards']>
  stop(): Promise<void>
}

/** Two organisations, each with two managers, five phones and an open command board. */
export async function gatherCrowd(stage: Stage, history: History, random: Random): Promise<Crowd> {
  const organisations: TestOrganisation[] = []
  for (let n = 0; n < 2; n++) organisations.push(await importOrganisation(stage, { furtherWardens }))
  const sessionOf = (email: string, name: string) => {
    const clockError = random.between(-clockErrorMs, clockErrorMs)
    return new Session({ name, organisation: codeOf(email), email }, stage.url, history, clockError)
  }
  const managers = organisations.flatMap(({ chief, deputy }) =>
    [chief, deputy].map((email) => new Manager(sessionOf(email, email), random.fork(email))),
  )
  const phones = organisations.flatMap(({ floor1, floor2, towerB, furtherWarden }) =>
    [floor1, floor1, floor2, furtherWarden, towerB].map((email, n) => {
      const name = `${email} (phone ${n + 1})`
      return new Phone(sessionOf(email, name), stage.socketUrl, random.fork(name))
    }),
  )
  const boards = organisations.map(
    ({ chief }) => new BoardReader(sessionOf(chief, `${chief} (board)`), random.fork(`${chief} board`)),
  )

  const stopManagers = new AbortController()
  const stopPhones = new AbortController()
  const lives: Promise<void>[] = []
  const wake = () => {
    for (const phone of phones) phone.wake()
  }
  return {
    start() {
      lives.push(...managers.map((manager) => manager.live(stopManagers.signal)))
      lives.push(...phones.map((phone) => phone.live(stopPhones.signal)))
      lives.push(...boards.map((board) => board.live(stopPhones.signal)))
    },
    wake,
    async settle(patienceMs) {
      for (const one of [...managers, ...phones]) one.rest()
      for (const end = Date.now() + patienceMs; Date.now() < end; await delay(250))
        if ([...managers, ...phones].every((one) => one.isSettled)) break
      stopManagers.abort()
      await Promise.all(lives.slice(0, managers.length))
      await delay(2_000)
      for (const phone of phones) phone.complete()
    },
    async lastLists() {
      const lists: Evidence['lastLists'] = {}
      for (const { floor1 } of organisations) {
        const session = sessionOf(floor1, floor1)
        await session.signIn(stopPhones.signal)
        const list = await readLists(session)
        if (list) lists[codeOf(floor1)] = list
      }
      return lists
    },
    async lastBoards() {
      const last = await Promise.all(boards.map((board) => board.read()))
      return last.filter((board) => board !== undefined)
    },
    async stop() {
      stopManagers.abort()
      stopPhones.abort()
      wake()
      await Promise.all(lives)
    },
  }
}

const codeOf = (email: string) => email.replace(/^.*@|\.test$/g, '')

async function readLists(session: Session) {
  const data = await session.read(getFloorData, {})
  if (!data || 'error' in data) return undefined
  const status = new Map<string, string>()
  for (const { id: floor } of data.floors)
    for (let page = 1, pages = 1; page <= pages; page++) {
      const list = await session.read(listOccupants, { query: { floor, page: String(page) } })
      for (const person of list?.persons ?? []) status.set(person.id, person.status)
      pages = list?.pagination.total_pages ?? 0
    }
  return { eventUid: data.event.id as string, status }
}
