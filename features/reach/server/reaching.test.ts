import { expect } from 'vitest'
import { foundOrganisation } from '#features/organisation/server/found.service.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { givenConsole } from '#server/testing/console-organisation.ts'
import { refused } from '#server/testing/refused.ts'
import { test } from '#server/testing/server-test.ts'
import { withKey } from '#server/testing/test-server.ts'
import { getReaching, saveReaching } from '../calls/reaching.ts'
import { reachingOfNew, type Step } from '../kinds.ts'

const text = (seconds: number): Step => ({ way: 'text', seconds })

test('LADDER-02 an organisation of before reaches people as before, and its choice is kept and told in the log', async ({
  server,
}) => {
  const { call, org } = await givenConsole(server)
  const before = await call(getReaching, {})
  expect(new Set(Object.values(before.plans))).toEqual(new Set(['as_before']))

  const plans = { ...before.plans, report_in: 'until_they_answer' as const, ask: [text(0), text(120)] }
  const saved = await call(saveReaching, { body: { ...before, plans, texts: 3 } }, withKey())

  expect(saved).toMatchObject({ plans, texts: 3, calls: null })
  expect(await call(getReaching, {})).toEqual(saved)
  const entries = await server.db.selectFrom('journal').selectAll().where('clientUid', '=', org.clientUid).execute()
  expect(entries.find(({ action }) => action === 'settings_changed')).toMatchObject({
    before: { reaching_report_in: 'as_before', reaching_ask: 'as_before' },
    after: { reaching_report_in: 'until_they_answer', reaching_ask: 'text 0, text 120' },
  })
})

test('LADDER-02 of two who save at once one is told that the other was first', async ({ server }) => {
  const { call } = await givenConsole(server)
  const read = await call(getReaching, {})
  const save = (texts: number) => call(saveReaching, { body: { ...read, texts } }, withKey())

  const outcomes = await refused(save(1), save(2), save(3))

  expect(outcomes.toSorted()).toEqual(['answered', 'changed_since', 'changed_since'])
})

const wrong: Record<string, Parameters<typeof steps>[0]> = {
  'not in the order of their times': { ask: [text(0), text(60), text(30)] },
  'without a text at once': { report_in: [text(10)] },
  "with 'next' for another class than the alert": { message: [text(0), { way: 'next', seconds: 60 }] },
  "with 'next' twice": { report_in: [text(0), { way: 'next', seconds: 60 }, { way: 'next', seconds: 90 }] },
}
const steps = (plans: Partial<Record<'ask' | 'report_in' | 'message', Step[]>>) => plans
for (const [how, plans] of Object.entries(wrong))
  test(`LADDER-02 own steps are refused: ${how}`, async ({ server }) => {
    const { call } = await givenConsole(server)
    const read = await call(getReaching, {})

    const saved = call(saveReaching, { body: { ...read, plans: { ...read.plans, ...plans } } }, withKey())

    expect(await refused(saved)).toEqual(['invalid_request'])
    expect(await call(getReaching, {})).toEqual(read)
  })

test('LADDER-02 a new organisation reaches people until they answer', async ({ server }) => {
  const organisation = {
    code: 'NEW',
    name: 'New',
    timezone: 'Australia/Sydney',
    country: 'AU',
    contactEmail: 'o@new.test',
  }
  const clientUid = await server.db.transaction().execute((tx) => foundOrganisation(tx as Tx, organisation))

  const { reach } = await server.db
    .selectFrom('client')
    .select('reach')
    .where('uid', '=', clientUid)
    .executeTakeFirstOrThrow()

  expect(reach).toEqual(reachingOfNew)
})
