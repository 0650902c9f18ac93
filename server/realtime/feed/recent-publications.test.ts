import { expect, test } from 'vitest'
import { RecentPublications } from './recent-publications.ts'

const publication = (offset: number) => ({ offset, json: `${offset}` })
const offsets = (recent: RecentPublications, channel: string, since: number) =>
  recent.since(channel, since)?.map(({ offset }) => offset)

test('HUB-05 everything after the position at which publishing began is there, by channel', () => {
  const recent = new RecentPublications(10)
  for (const offset of [11, 13]) recent.add('a', publication(offset))
  recent.add('b', publication(12))

  expect(offsets(recent, 'a', 10)).toEqual([11, 13])
  expect(offsets(recent, 'a', 11)).toEqual([13])
  expect(offsets(recent, 'a', 13)).toEqual([])
  expect(offsets(recent, 'b', 10)).toEqual([12])
  expect(offsets(recent, 'c', 10)).toEqual([])
  expect(offsets(recent, 'a', 9)).toBeUndefined()
})

test('HUB-05 older halves are dropped, and who needs them is told, also in the middle of an offset of several channels', () => {
  const recent = new RecentPublications(0, 3)
  for (const offset of [1, 2]) recent.add('a', publication(offset))
  for (const channel of ['a', 'b', 'c']) recent.add(channel, publication(3))
  expect(offsets(recent, 'a', 0)).toEqual([1, 2, 3])

  for (const offset of [4, 5]) recent.add('a', publication(offset))

  expect(offsets(recent, 'a', 2)).toBeUndefined()
  expect(offsets(recent, 'a', 3)).toEqual([4, 5])
  expect(offsets(recent, 'b', 3)).toEqual([])
  expect(offsets(recent, 'c', 2)).toBeUndefined()
})
