import { getEventTexts } from '#features/events/calls/event-texts.ts'
import { listSimulatedTexts } from '#features/texts/calls/simulator.ts'
import type { Call } from '#kernel/client/client.ts'
import { concludeEvent, startEvent } from '../rig/api.ts'
import { importOrganisation } from '../rig/organisation.ts'
import { Product } from '../rig/product.ts'
import { expect, test } from './support/test.ts'

const wardens = 2000
/** The deputy and two of the three floor wardens are in scope besides; the chief starts it. */
const texts = wardens + 3
const alert = { alertToWarden: 'yes' } as const

test('F3 EVENT-52 EVENT-24 the server is killed while 2,000 alerts go out: no one is lost, and none goes out after the end', {
  tag: '@long',
}, async () => {
  test.setTimeout(240_000)
  const product = await Product.start()
  try {
    const organisation = await importOrganisation(product, { furtherWardens: wardens })
    const manager = await startEvent(product, organisation, ['Tower A'], alert)
    const delivered = async () => (await manager(getEventTexts, {})).counts.delivered
    await expect.poll(delivered, { intervals: [20], timeout: 30_000 }).toBeGreaterThan(texts / 10)

    await product.node.kill()
    await product.node.start()

    expect(await delivered()).toBeLessThan(texts)
    await expect.poll(delivered, { timeout: 120_000 }).toBe(texts)
    for (let i = 0; i < wardens; i += 10) expect(await onPhone(manager, i)).toBe(1)

    await concludeEvent(manager)
    const again = await startEvent(product, organisation, ['Tower A'], alert)
    const sent = async () => (await again(getEventTexts, {})).counts.delivered
    await expect.poll(sent, { intervals: [20] }).toBeGreaterThan(texts / 10)
    await product.node.kill()
    await product.node.start()
    await concludeEvent(again)

    await expect.poll(() => open(product), { timeout: 60_000 }).toBe(0)
    const after = await states(product)
    expect(after.skipped).toBeGreaterThan(0)
    expect(after.delivered).toBeGreaterThan(texts)
    expect((after.skipped ?? 0) + (after.delivered ?? 0)).toBe(2 * texts)
  } finally {
    await product.stop()
  }
})

async function onPhone(call: Call, warden: number) {
  return (await call(listSimulatedTexts, { query: { mobile: `61492${100_000 + warden}` } })).length
}

/** Texts by state, of all events. */
async function states(product: Product): Promise<Record<string, number>> {
  const metrics = await (await fetch(`${product.url}/metrics`)).text()
  return Object.fromEntries(
    [...metrics.matchAll(/^evac_texts\{state="(\w+)"\} (\d+)$/gm)].map(([, state, count]) => [state, Number(count)]),
  )
}

/** Texts of which something may yet go out. */
async function open(product: Product): Promise<number> {
  const { queued = 0, handed_over: handedOver = 0 } = await states(product)
  return queued + handedOver
}
