import { startEvent } from '../rig/api.ts'
import { importOrganisation } from '../rig/organisation.ts'
import { Product } from '../rig/product.ts'
import { expect, test } from './support/test.ts'

const wardens = 1200
/** More than a worker takes in one statement are due at each. */
const steps = [
  { way: 'text', seconds: 0 },
  { way: 'text', seconds: 4 },
  { way: 'call', seconds: 8 },
  { way: 'second_call', seconds: 12 },
]
const voice = { VOICE_PER_SECOND: '300', VOICE_AT_ONCE: '5000', VOICE_DAILY_CALLS: '10000' }

test('LADDER-03 LADDER-10 the server is killed in each step of reaching 1,200 wardens: each is texted twice and called on both numbers, once', {
  tag: '@long',
}, async () => {
  test.setTimeout(240_000)
  const product = await Product.start(voice)
  // a database that is restarted hangs up
  product.pool.on('error', () => undefined)
  const count = async (what: string) => {
    const { rows } = await product.pool.query(`select count(*)::int as count from ${what}`)
    return (rows[0] as { count: number }).count
  }
  try {
    const organisation = await importOrganisation(product, { furtherWardens: wardens })
    const reach = JSON.stringify({ plans: { report_in: steps }, texts: null, calls: null })
    await product.pool.query('update client set reach = $1', [reach])
    await product.pool.query(`update person set second_mobile = '6139' || right(mobile, 8) where mobile is not null`)
    await startEvent(product, organisation, ['Tower A'], { alertToWarden: 'yes' })
    const reached = await count('reach')
    expect(reached).toBeGreaterThan(wardens)

    const begun = [
      `simulated_text where body <> ''`,
      `reach where step >= 2`,
      `ring where way = 'call' and called_at is not null`,
      `ring where way = 'second_call' and called_at is not null`,
    ]
    for (const step of begun) {
      await expect.poll(() => count(step), { intervals: [5], timeout: 60_000 }).toBeGreaterThan(0)
      await product.node.kill()
      await product.node.start()
    }

    const over = `ring where way = 'second_call' and status <> 'queued'`
    await expect.poll(() => count(over), { timeout: 90_000 }).toBe(reached)
    await expect.poll(() => count(`sms where status = 'queued'`), { timeout: 60_000 }).toBe(0)
    const { rows } = await product.pool.query(`
      select texts, calls, seconds, count(*)::int as people from (
        select (select count(*)::int from sms s where s.reach_uid = one.uid) as texts,
          (select count(*)::int from ring g where g.reach_uid = one.uid and g.way = 'call' and g.called_at is not null) as calls,
          (select count(*)::int from ring g where g.reach_uid = one.uid and g.way = 'second_call' and g.called_at is not null) as seconds
        from reach one) each group by 1, 2, 3`)
    expect(rows).toEqual([{ texts: 2, calls: 1, seconds: 1, people: reached }])
    expect(await count('(select to_mobile from simulated_text group by 1 having count(*) <> 2) wrong')).toBe(0)
    expect(await count('simulated_text')).toBe(2 * reached)
  } finally {
    await product.stop()
  }
})
