import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type FloorData, getFloorData, listOccupants, setPersonStatus } from '#features/evacuation/calls/evacuation.ts'
import type { Call } from '#kernel/client/client.ts'
import { onDuty, startEvent } from '../rig/api.ts'
import { importOrganisation } from '../rig/organisation.ts'
import { Product } from '../rig/product.ts'
import { expect, openFloorOn, test } from './support/test.ts'

const changes = 200
const statuses = ['safe on floor', 'in danger', 'unknown'] as const

test('RT-07 FLOOR-17 the server is killed during 200 status changes: every acknowledged one is there and the phone shows what it missed', {
  tag: '@long',
}, async ({ browser }) => {
  test.setTimeout(120_000)
  const product = await Product.start()
  const context = await browser.newContext({ baseURL: product.url })
  try {
    const organisation = await importOrganisation(product)
    await startEvent(product, organisation)
    const page = await context.newPage()
    await openFloorOn(page, organisation.floor1)
    await expect(page.getByText('Amara Adeyemi 01').first()).toBeVisible()
    const warden = await onDuty(product, organisation.floor2)
    const people = await everyone(warden, await floorOfPage(product, organisation.floor1))

    const acknowledged: number[] = []
    const sending = sendAll(warden, people, acknowledged)
    await expect.poll(() => acknowledged.length, { intervals: [10] }).toBeGreaterThan(changes / 3)
    await product.node.kill()
    const beforeTheKill = acknowledged.length
    await product.node.start()
    await sending

    expect(beforeTheKill).toBeLessThan(changes)
    const after = await everyone(warden, people[0]?.floor as string)
    const expected = new Map(
      Array.from({ length: changes }, (_, i) => [people[i % people.length]?.id, statuses[i % 3]]),
    )
    for (const person of after)
      expect(`${person.name}: ${person.status}`).toBe(`${person.name}: ${plain(expected.get(person.id))}`)
    const first = people[0]
    const shown = page
      .getByRole('listitem')
      .filter({ hasText: first?.name ?? '' })
      .last()
    await expect(shown.getByRole('button', { name: label(expected.get(first?.id)) })).toBeVisible({ timeout: 30_000 })
  } finally {
    await context.close()
    await product.stop()
  }
})

const plain = (status: string | undefined) =>
  status === 'in danger' ? 'danger' : status === 'unknown' ? 'unknown' : 'safe'
const label = (status: string | undefined) =>
  status === 'in danger' ? /Danger on floor/ : status === 'unknown' ? /Unknown/ : /Safe on floor/

async function floorOfPage(product: Product, email: string): Promise<string> {
  const data = (await (await onDuty(product, email))(getFloorData, {})) as FloorData
  return data.input.floor as string
}

async function everyone(warden: Call, floor: string) {
  const all = []
  for (let page = 1; page <= 2; page++) {
    const { persons } = await warden(listOccupants, { query: { floor: floor as never, page: String(page) } })
    all.push(...persons.map(({ id, name, status }) => ({ id, name, status, floor })))
  }
  return all
}

/** As a phone's outbox does: in order, the same key until it is acknowledged. */
async function sendAll(warden: Call, people: { id: string; floor: string }[], acknowledged: number[]) {
  for (let i = 0; i < changes; i++) {
    const person = people[i % people.length] as { id: never; floor: never }
    const headers = { 'idempotency-key': randomUUID() }
    const body = { personId: person.id, floorId: person.floor, status: statuses[i % 3] as string }
    for (;;) {
      const done = await warden(setPersonStatus, { body }, { headers }).catch(() => undefined)
      if (done) break
      await delay(50)
    }
    acknowledged.push(i)
  }
}
