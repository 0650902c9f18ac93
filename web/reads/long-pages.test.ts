import { type InfiniteData, QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import type { Occupant } from '#features/evacuation/calls/evacuation.ts'
import { occupant, occupants } from '../testing/floor-data.ts'
import { type PeoplePage, readPage } from './long-pages.ts'
import { peopleInView } from './people-in-view.ts'
import { nextPageOf, onceEach } from './people-pages.ts'

afterEach(() => peopleInView.set([]))

const path = '/api/people'
const size = 20
type Page = PeoplePage & { persons: readonly Occupant[] }
const uidOf = (n: number) => occupant(n).evacuee_list_uid

/** A list of `count` people, all pages read. A page begins after a person, even if that person has gone. */
async function readList(count: number) {
  const world = {
    people: occupants(count),
    places: new Map(occupants(count + 50).map((one, at) => [one.evacuee_list_uid, at])),
  }
  const asked: string[] = []
  const read = async (query: Record<string, string> | null): Promise<Page> => {
    const after = query?.after ?? ''
    asked.push(after)
    const place = (uid: string) => world.places.get(uid as never) ?? -1
    const rest = world.people.filter((one) => place(one.evacuee_list_uid) > place(after))
    const persons = rest.slice(0, size)
    const next = rest.length > size ? `${path}?after=${persons.at(-1)?.evacuee_list_uid}` : null
    const pagination = { next_page_url: next, total: world.people.length, from: 1, current_page: 1, total_pages: 1 }
    return { persons, pagination }
  }
  const client = new QueryClient()
  const queryKey = ['people']
  await client.fetchInfiniteQuery({
    queryKey,
    initialPageParam: null as Record<string, string> | null,
    queryFn: ({ signal: _, ...context }) =>
      readPage<Page>({
        ...context,
        path,
        rowsOf: ({ persons }) => persons,
        withRows: (page, persons) => ({ ...page, persons }),
        read,
      }),
    getNextPageParam: ({ pagination }) => nextPageOf(pagination.next_page_url, path),
    pages: 1000,
  })
  const shown = () =>
    onceEach(client.getQueryData<InfiniteData<Page>>(queryKey)?.pages.flatMap(({ persons }) => persons) ?? [])
  return {
    world,
    names: () => shown().map(({ name }) => name),
    status: (n: number) => shown().find((one) => one.evacuee_list_uid === uidOf(n))?.status,
    /** Refetches with these people near the screen. Returns the number of pages requested. */
    async readAgain(inView: readonly number[]) {
      peopleInView.set(inView.map(uidOf))
      asked.length = 0
      await client.refetchQueries({ queryKey, type: 'all' })
      return asked.length
    },
  }
}
const names = (people: readonly Occupant[]) => people.map(({ name }) => name)

test('RT-17 of ten thousand people only the first page and those in view are refetched', async () => {
  const list = await readList(10_000)
  for (const n of [5, 5005, 9005]) list.world.people[n - 1] = occupant(n, { status: 'danger' })

  expect(await list.readAgain([5000, 5005, 5025])).toBe(4)

  expect([5, 5005, 9005].map(list.status)).toEqual(['danger', 'danger', 'unknown'])
  expect(await list.readAgain([9005])).toBe(2)
  expect(list.status(9005)).toBe('danger')
})

test('RT-17 a list of a few pages is refetched completely', async () => {
  const list = await readList(100)
  list.world.people[90] = occupant(91, { status: 'danger' })

  expect(await list.readAgain([1])).toBe(5)

  expect(list.status(91)).toBe('danger')
})

test('RT-17 a person who joins the part in view appears there, and no one is lost or duplicated', async () => {
  const list = await readList(400)
  const { world } = list
  world.places.set(uidOf(420), 203.5)
  world.people.splice(204, 0, occupant(420))

  expect(await list.readAgain([205, 210])).toBeLessThanOrEqual(4)

  expect(list.names()).toEqual(names(world.people))
})

test('RT-17 a person who leaves the part in view disappears, including the last of a page and a whole page', async () => {
  for (const gone of [[205], [220], [201], [219, 220, 221], Array.from({ length: 20 }, (_, at) => 201 + at)]) {
    const list = await readList(400)
    list.world.people = list.world.people.filter((one) => !gone.some((n) => uidOf(n) === one.evacuee_list_uid))

    expect(await list.readAgain([205, 225])).toBeLessThanOrEqual(6)

    expect(list.names()).toEqual(names(list.world.people))
  }
})

test('RT-17 when the list becomes short or empty, so does the screen', async () => {
  for (const left of [0, 7]) {
    const list = await readList(400)
    list.world.people = list.world.people.slice(0, left)

    await list.readAgain([205])

    expect(list.names()).toEqual(names(list.world.people))
  }
})
