import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { BroadcastWriting } from './broadcast-writing.ts'

/** A broadcast of three pages. */
function threePages(stopping?: AbortSignal) {
  let begun = 0
  const writing = new BroadcastWriting(async () => {
    const nth = ++begun
    await delay(50)
    return nth <= 3
  }, stopping)
  return { writing, begun: () => begun }
}

test('F35 EVENT-05 the next page of a broadcast waits, unless nothing is left to send', async () => {
  const { writing, begun } = threePages()
  expect(await writing.page).toBe(true)
  expect(begun()).toBe(1)
  await turn()
  expect(begun()).toBe(1)

  const pages: boolean[] = []
  while (pages.at(-1) !== false) {
    const { page } = writing
    writing.hurry()
    pages.push(await page)
  }

  expect([pages, begun()]).toEqual([[true, true, false], 4])
})

test('F3 a worker that is told to stop writes no further page', async () => {
  const stopping = new AbortController()
  const { writing, begun } = threePages(stopping.signal)
  await writing.page
  stopping.abort()
  writing.hurry()

  expect(await writing.page).toBe(false)
  expect(begun()).toBe(1)
})
