import { startEvent } from '../rig/api.ts'
import { expect, expectAccessible, signInOn, test } from './support/test.ts'

const reach = {
  plans: {
    report_in: [
      { way: 'text', seconds: 0 },
      { way: 'call', seconds: 1 },
      { way: 'second_call', seconds: 600 },
    ],
  },
  texts: null,
  calls: null,
}

test('LADDER-11 LADDER-13 NUM-03 a phone rings out, the second number rings, 1 is pressed: the warden has answered', async ({
  organisation,
  phone,
  product,
}) => {
  test.setTimeout(120_000)
  const first = `61${organisation.floor1Mobile.slice(1)}`
  const second = `613${first.slice(3)}`
  await product.pool.query('update person set second_mobile = $2 where email = $1', [organisation.floor1, second])
  await product.pool.query(
    'update client set reach = $2 where uid = (select client_uid from person where email = $1)',
    [organisation.floor1, JSON.stringify(reach)],
  )
  const [firstPhone, secondPhone, chief] = [await phone(), await phone(), await phone()]
  await firstPhone.goto(`/simulator?mobile=${first}`)
  await secondPhone.goto(`/simulator?mobile=${second}`)
  await startEvent(product, organisation, ['Tower A'], { alertToWarden: 'yes' })

  await expect(firstPhone.getByRole('heading', { name: 'This phone is ringing' })).toBeVisible({ timeout: 20_000 })
  await expectAccessible(firstPhone, 'a simulated phone that rings')
  await expect(firstPhone.getByRole('heading', { name: 'This phone is ringing' })).toBeHidden({ timeout: 40_000 })
  await secondPhone.getByRole('button', { name: 'Answer' }).click({ timeout: 10_000 })
  await expect(
    secondPhone.getByText(/^This is .+ Press 1 if you are coming\. Press 2 if you are not available\.$/),
  ).toBeVisible()
  await expectAccessible(secondPhone, 'the keys of a simulated phone')
  await secondPhone.getByRole('button', { name: '1', exact: true }).click()
  await expect(secondPhone.getByText('Thank you. The call has ended.')).toBeVisible()

  await signInOn(chief, organisation.chief)
  await chief.goto('/event/reach')
  await chief.getByRole('button', { name: /^Reached/ }).click()
  const lines = chief.getByRole('list', { name: /^Tries to reach/ }).filter({ hasText: 'second number' })
  await expect(lines.getByText(/^Call: no answer \d\d:\d\d/)).toBeVisible()
  await expect(lines.getByText(/^Call to the second number: pressed 1 \d\d:\d\d/)).toBeVisible()
})

test('LADDER-04 a receipt that says failed brings the call within two seconds', async ({ organisation, product }) => {
  const plans = {
    report_in: [
      { way: 'text', seconds: 0 },
      { way: 'call', seconds: 600 },
    ],
  }
  const { floor1 } = organisation
  const query = async (text: string) => (await product.pool.query(text, [floor1])).rows[0] as Record<string, unknown>
  await product.pool.query(
    'update client set reach = $2 where uid = (select client_uid from person where email = $1)',
    [floor1, JSON.stringify({ plans, texts: null, calls: null })],
  )
  await startEvent(product, organisation, ['Tower A'], { alertToWarden: 'yes' })
  const fail = `update sms set status = 'failed', reason = 'Not in service.', changed_at = clock_timestamp()
    where person_uid = (select uid from person where email = $1) and status = 'delivered' returning uid`
  await expect.poll(() => query(fail)).toBeTruthy()

  const called = `select extract(epoch from g.called_at - s.changed_at)::float8 as seconds
    from ring g join sms s on s.reach_uid = g.reach_uid
    where s.person_uid = (select uid from person where email = $1) and g.called_at is not null`
  await expect.poll(() => query(called)).toBeTruthy()
  // each of both sweeps comes every second; a busy machine has one more
  expect((await query(called)).seconds).toBeLessThan(3)
})
