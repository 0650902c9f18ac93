import { expect, test } from 'vitest'
import { keepDemoAdministrators } from '#features/administrators/server/demo-administrators.service.ts'
import { loadDemo } from '#features/directory/server/demo.ts'
import { giveCode, signInToConsole } from '#features/sign-in/calls/console-sign-in.ts'
import { listSimulatedCodes } from '#features/texts/calls/simulator.ts'
import { folderStore } from './platform/documents/document-folder.ts'
import { deriveSecrets } from './platform/secrets.ts'
import { secrets } from './testing/administrators.ts'
import { refused } from './testing/refused.ts'
import { startTestServer, testConfig } from './testing/test-server.ts'

test("ORG-08 the demo's administrators sign in with the code that the simulator shows, also under a new SECRET_KEY", async () => {
  await using server = await startTestServer()
  await loadDemo(server.db, folderStore(testConfig.dataDir))
  await keepDemoAdministrators(server.db, deriveSecrets('the secret of yesterday, long enough'))
  await keepDemoAdministrators(server.db, secrets)

  const codes = await server.stranger(listSimulatedCodes, {})

  expect(codes.map(({ email }) => email)).toEqual(['admin@harbour.test', 'admin@riverside.test'])
  for (const { email, code } of codes) {
    const { ticket } = await server.stranger(signInToConsole, { body: { name: email, password: 'evacuate1' } })
    const { me } = await server.stranger(giveCode, { body: { ticket, code } })
    expect(me).toMatchObject({ reach: { kind: 'organisation' }, sees_plans: true })
  }
  expect(await server.db.selectFrom('administrator').select('uid').execute()).toHaveLength(2)
})

test.for([
  ['in production', { production: true }],
  ['without the demo', { demo: false }],
] as const)('ORG-08 %s no code is shown', async ([, over]) => {
  await using server = await startTestServer({ config: { ...testConfig, ...over } })

  expect(await refused(server.stranger(listSimulatedCodes, {}))).toEqual(['not_found'])
})
