import { expect } from 'vitest'
import { addToRecord, type NewAddition } from '#features/records/calls/additions.ts'
import { getNoting } from '#features/records/calls/observing.ts'
import { getRecord } from '#features/records/calls/records.ts'
import { givenRecord } from '#features/records/server/records.fixture.ts'
import { checklist } from '#features/records/words.ts'
import { checklistItems } from '#kernel/limits.ts'
import { asAdministrator, givenAdministrator } from '#server/testing/administrators.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { type TestServer, withKey } from '#server/testing/test-server.ts'
import * as calls from '../../calls/lists.ts'

async function listing(server: TestServer) {
  const at = await givenRecord(server)
  const call = await asAdministrator(server, await givenAdministrator(server, at.org))
  const items = async () => (await call(calls.listChecklist, {})).rows
  const add = (text: string, in_use = true) => call(calls.addChecklistItem, { body: { text, in_use } }, withKey())
  const change = ({ uid, ...row }: calls.ChecklistRow, over: Partial<calls.ChecklistRow>) =>
    call(calls.changeChecklistItem, { params: { uid }, body: { ...row, ...over } }, withKey())
  const order = (uids: string[]) => call(calls.orderChecklist, { body: { uids } }, withKey())
  const asked = async () => {
    const params = { eventUid: at.eventUid }
    const [record, noting] = [await at.manager(getRecord, { params }), await at.manager(getNoting, { params })]
    expect(noting.checklist).toEqual(record.checklist)
    return record.checklist
  }
  const answer = (item: string) => {
    const body = { kind: 'checklist', body: { item, answer: 'Yes' } } as NewAddition
    return at.manager(addToRecord, { params: { eventUid: at.eventUid }, body }, withKey())
  }
  return { ...at, call, items, add, change, order, asked, answer }
}

test('AAR-29 twelve items are asked until the organisation has its own, which are asked in their order', async ({
  server,
}) => {
  const { items, add, change, order, asked, answer } = await listing(server)
  expect(await asked()).toEqual(checklist)
  await add('Gas shut off? ')
  await add('Roll read out?')
  await add('Old question?', false)
  expect(await asked()).toEqual(['Gas shut off?', 'Roll read out?'])

  const [gas, roll, old] = (await items()) as [calls.ChecklistRow, calls.ChecklistRow, calls.ChecklistRow]
  await order([roll.uid, old.uid, gas.uid])
  expect(await asked()).toEqual(['Roll read out?', 'Gas shut off?'])
  expect(await refused(answer('Gas shut off?'), answer('Old question?'), answer('Areas searched?'))).toEqual(
    Array(3).fill('answered'),
  )
  expect(await refused(answer('What is this?'))).toEqual(['not_found'])

  for (const row of await items()) await change(row, { in_use: false })
  expect(await asked()).toEqual(checklist)
})

test('AAR-29 no two items in use are alike, 40 are in use at most, and a stale change is refused', async ({
  server,
}) => {
  const { items, add, change, order } = await listing(server)
  await add('Gas shut off?')
  const [gas] = (await items()) as [calls.ChecklistRow]
  await expect(add('Gas shut off?')).rejects.toMatchObject({ code: 'invalid_request', fields: ['text'] })
  await expect(add(' ')).rejects.toMatchObject({ message: 'Text is empty', fields: ['text'] })
  await expect(add('x'.repeat(201))).rejects.toMatchObject({ fields: ['text'] })
  await change(gas, { text: 'Gas and water shut off?' })
  expect(await refused(change(gas, {}), order([]))).toEqual(['changed_since', 'changed_since'])

  const outcomes = await refused(...Array.from({ length: checklistItems + 4 }, (_, n) => add(`Item ${n}?`)))

  expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(checklistItems - 1)
  expect(await items()).toHaveLength(checklistItems)
})

test('AAR-29 ORG-10 the items of another organisation are not asked, and who administers a site has none', async ({
  server,
}) => {
  const { org, asked } = await listing(server)
  const abroad = await server.given.organisation()
  const theirs = await asAdministrator(server, await givenAdministrator(server, abroad))
  await theirs(calls.addChecklistItem, { body: { text: 'Theirs?', in_use: true } }, withKey())
  expect(await asked()).toEqual(checklist)

  const admin = await givenAdministrator(server, org, { reach: 'site', siteUid: org.siteUid })
  const site = await asAdministrator(server, admin)
  expect((await site(calls.listChecklist, {})).rows).toEqual([])
  expect(await refused(site(calls.addChecklistItem, { body: { text: 'Gas?', in_use: true } }, withKey()))).toEqual([
    'forbidden',
  ])
})
