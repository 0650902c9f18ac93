import { expect, test } from 'vitest'
import { openTestDatabase } from './testing/database.ts'
import { createGiven } from './testing/given.ts'
import { startNode } from './testing/nodes.ts'

const printed = (said: string) => said.split('\n').filter((line) => /console\/set-up|has no administrator/.test(line))

test('ORG-01 ORG-02 ORG-07 each start prints how to set up, the same at every node; later, who has no administrator', {
  timeout: 120_000,
}, async () => {
  await using database = await openTestDatabase()
  const start = async () => {
    await using node = await startNode(database, { LOG_LEVEL: 'trace', APP_URL: 'http://localhost:8080' })
    await expect.poll(node.said).toContain('Evac is ready')
    await expect.poll(() => printed(node.said())).toHaveLength(1)
    return printed(node.said())
  }

  const [first, second] = [await start(), await start()]
  const { clientUid } = await createGiven(database.system.db).organisation()
  const client = database.system.db.selectFrom('client').select('code').where('uid', '=', clientUid)
  const { code } = await client.executeTakeFirstOrThrow()

  expect(first).toEqual([
    expect.stringMatching(/^No organisation yet\. Set up: http:\/\/localhost:8080\/console\/set-up#[\w-]{43}$/),
  ])
  expect(second).toEqual(first)
  expect(await start()).toEqual([
    `${code} has no administrator: npm run organisation -- invite-administrator ${code} EMAIL`,
  ])
})
