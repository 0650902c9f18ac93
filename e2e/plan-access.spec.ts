import { concludeEvent, startEvent } from '../rig/api.ts'
import { ProductNode } from '../rig/product.ts'
import { findFreePort } from '../scripts/lib/free-ports.ts'
import { picture, snapshot } from './support/pictures.ts'
import { expect, expectAccessible, openFloorOn, press, reportInOn, signInOn, test } from './support/test.ts'

/** As if the event had ended so many minutes earlier. */
const endedEarlier = `update event set ended_at = ended_at - interval '16 minutes' where ended_at is not null and client_uid = $1`

test('PEEP-03 PEEP-07 PEEP-08 PEEP-09 a plan is opened for a reason, the entry stands, and the person reads on a page by whom', async ({
  product,
  organisation,
  phone,
}) => {
  test.setTimeout(180_000)
  const manager = await startEvent(product, organisation, ['Tower A'])
  // the warden of the floor reads the plans of the floor as their duty
  const own = await phone()
  await openFloorOn(own, organisation.floor1)
  await expect(own.getByRole('button', { name: /^PEEP of/ }).first()).toBeVisible()

  const chief = await phone()
  await signInOn(chief, organisation.deputy)
  await reportInOn(chief)
  await chief.goto('/event/people?tab=peeps')
  const button = chief.getByRole('button', { name: /^Show plan: / }).first()
  const name = (await button.getAttribute('aria-label'))?.replace('Show plan: ', '') ?? ''
  await picture(chief, 'accounting-plans', { matrix: true, tight: true })
  await button.click()
  await expect(chief.getByRole('heading', { name: 'Why?' })).toBeVisible()
  await picture(chief, 'plan-why', { matrix: true, tight: true })
  await expectAccessible(chief, 'why a plan is opened')
  await press(chief, 'I am going to help')
  await expect(chief.getByRole('heading', { name: 'Assistance Needed' })).toBeVisible()
  // people of other organisations have the same names, and their plans were opened in other tests
  const { rows: entries } = await product.pool.query(
    `select j.after from journal j join person p on p.uid = j.subject_uid join site st on st.client_uid = p.client_uid
     where j.action = 'plan_viewed' and p.name = $1 and st.name = $2`,
    [name, organisation.site],
  )
  expect(entries).toEqual([{ after: { way: 'opened', reason: 'helping', whole: false } }])
  await press(chief, 'More')
  await expect(chief.getByRole('heading', { name: 'Other Details' })).toBeVisible()
  await picture(chief, 'plan-whole', { matrix: true, tight: true })
  await expectAccessible(chief, 'an opened plan')
  await chief.goto('/event/plans')
  await expect(chief.getByText('Opened 1 plan')).toBeVisible()
  await picture(chief, 'plan-readers', { matrix: true, tight: true })
  await expectAccessible(chief, 'who opened plans')

  const { rows: found } = await product.pool.query<{ client: string; uid: string }>(
    `update person p set email = 'planned-' || p.uid || '@evac.test' from plan_notice n, site st
     where n.person_uid = p.uid and p.name = $1 and st.client_uid = p.client_uid
       and st.name = $2 returning p.client_uid as client, p.uid`,
    [name, organisation.site],
  )
  expect(found).toHaveLength(1)
  const { client, uid } = found[0] as { client: string; uid: string }
  await concludeEvent(manager)
  await product.pool.query(endedEarlier, [client])
  const mail = async () =>
    (
      await product.pool.query<{ body: string }>(`select body from simulated_mail where to_email = $1`, [
        `planned-${uid}@evac.test`,
      ])
    ).rows
  // a worker looks whom to tell at its start, and then once a minute
  const settings = { ...product.settings, ROLES: 'worker' }
  const worker = new ProductNode({ port: await findFreePort(), settings })
  await worker.start()
  await expect.poll(async () => (await mail()).length, { timeout: 100_000 }).toBe(1)
  await worker.stop()
  const link = /\/v\/[\w-]{22}$/.exec((await mail())[0]?.body.trim() ?? '')?.[0] ?? ''

  const person = await phone({ javaScriptEnabled: false })
  await person.goto(link)
  await expect(person.getByRole('heading', { name: 'Who opened your evacuation plan' })).toBeVisible()
  await expect(person.getByText('Was going to help you')).toBeVisible()
  await expect(person.getByRole('listitem')).toHaveCount(1)
  await snapshot(person, 'plan-notice')
  await person.goto(`${link.slice(0, -1)}_`)
  await expect(person.getByText('This page is no longer available.')).toBeVisible()
})
