import { expect, test } from 'vitest'
import { key } from '../hub/hub.fixture.ts'
import { centrifugoConfig } from './config-file.ts'

const at = (url: string) =>
  centrifugoConfig({ appUrl: 'https://evac.test', centrifugo: { url, apiKey: 'secret of the api' }, key })

test('LIVE-06 both kinds of channels keep a history from which phones recover, and only pages of APP_URL come in', () => {
  const { channel, client, engine } = at('http://127.0.0.1:9000')

  const kept = { history_ttl: '15m', history_meta_ttl: '48h', force_recovery: true }
  expect(channel.namespaces).toMatchObject([
    { name: 'event', history_size: 2000, ...kept },
    { name: 'warden', history_size: 100, ...kept },
  ])
  expect(client).toMatchObject({ allowed_origins: ['https://evac.test'], recovery_max_publication_limit: 500 })
  expect(engine.type).toBe('redis')
})

test.for([
  ['http://127.0.0.1:9000', '127.0.0.1', '9000'],
  ['http://centrifugo:9000', '', '9000'],
  ['http://centrifugo', '', '80'],
] as const)('LIVE-01 the API at %s has a port of its own, apart from that of phones', ([url, address, port]) => {
  const { http_server, http_api } = at(url)

  expect(http_server).toEqual({ address, port: 8000, internal_address: address, internal_port: port })
  expect(http_api).toEqual({ key: 'secret of the api' })
})
