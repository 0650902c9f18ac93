import { after, all, before } from '../lib/edits.mjs'

/** A provider that takes each text as a form at an address of its own. */
export const recipe = {
  heading: 'Add an SMS gateway',
  files: {
    'features/texts/server/gateways/bulk.gateway.ts': {
      edit: () => `import type { BulkSettings } from '#server/platform/config/gateway-settings.ts'
import type { CallOut } from '#server/platform/outgoing.ts'
import { GatewayRefusal, type SmsGateway, TextRejected } from '../sms-gateway.ts'

const name = 'bulk'

/** Posts each text to the address of the provider, which answers with its id. */
export function createBulk({ url }: BulkSettings, callOut: CallOut): SmsGateway {
  return {
    name,
    async send({ reference, to, body }) {
      const form = new URLSearchParams({ reference, to, body }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await callOut({ url, setBy: 'operator', method: 'POST', headers, body: form })
      if (answer.status === 422) throw new TextRejected('The number is not in service.')
      if (answer.status === 403) throw new GatewayRefusal('The provider does not serve this number.')
      if (answer.status !== 200) throw new Error('The provider does not accept texts at the moment.')
      return { gateway: name, providerIds: [String(answer.body)] }
    },
    async close() {},
  }
}
`,
      found: { by: 'types of server', says: /gateways\.ts.*bulk\.gateway/ },
    },
    'server/platform/config/gateway-settings.ts': {
      edit: all(
        before('/** Each SMS gateway with', 'export interface BulkSettings {\n  url: string\n}\n\n'),
        after(
          'const gateways = {\n',
          `  bulk: {
    names: ['BULK_URL'],
    read: (env: Env): BulkSettings => ({ url: required(env, 'BULK_URL', 'the address that takes texts') }),
  },
`,
        ),
      ),
      found: { by: 'types of server', says: /gateways\.ts.*'?bulk'?/ },
    },
    'features/texts/server/gateways/gateways.ts': {
      edit: all(
        before('import { createSimulator }', "import { createBulk } from './bulk.gateway.ts'\n"),
        after(
          'const gateways: Record<GatewayName, Gateway> = {\n',
          '  bulk: { open: (_, config) => config.bulk && createBulk(config.bulk, openOutgoing(config)) },\n',
        ),
      ),
      found: { by: 'types of server', says: /'bulk' is missing/ },
    },
    'README.md': {
      edit: before('| `SMPP_URL`, `SMPP_FROM` |', '| `BULK_URL` | The address that takes texts | |\n'),
      found: { by: 'server config/config', says: /BULK_URL/ },
    },
    '.env.example': {
      edit: before('# smpp://name:password@host', '# The address that takes texts\n#BULK_URL=\n\n'),
      found: { by: 'server config/config', says: /BULK_URL/ },
    },
    'features/texts/SPEC.md': {
      edit: after('### Sending\n', '\n- **STAY-97** A text goes to the provider by its form.\n'),
      found: { by: 'rules', says: /STAY-97, which no SPEC\.md has/ },
    },
    'features/texts/server/gateways/bulk.test.ts': {
      edit: () => `import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openOutgoing } from '#server/platform/outgoing.ts'
import { TextRejected } from '../sms-gateway.ts'
import { createBulk } from './bulk.gateway.ts'

test('STAY-97 a text goes to the provider, and one that it rejects is not sent again', async () => {
  const provider = createServer(async (request, response) => {
    let form = ''
    for await (const chunk of request) form += chunk
    response.writeHead(new URLSearchParams(form).get('to') === '61491570156' ? 200 : 422).end('id-1')
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const url = \`http://127.0.0.1:\${(provider.address() as AddressInfo).port}\`
  const gateway = createBulk({ url }, openOutgoing({ outgoingProxy: '' }))
  const text = { reference: 'a/b', to: '61491570156', body: 'Leave now.', validUntil: new Date() }

  expect(await gateway.send(text)).toEqual({ gateway: 'bulk', providerIds: ['id-1'] })
  await expect(gateway.send({ ...text, to: '1' })).rejects.toThrow(TextRejected)
  provider.closeAllConnections()
  provider.close()
})
`,
      found: { by: 'rules', says: /STAY-97, which no test names/ },
    },
  },
  proof: ['types of server', 'rules', 'server config/config gateways/bulk'],
}
