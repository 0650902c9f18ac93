import { expect, test } from 'vitest'
import type { CallOut } from '../../platform/outgoing.ts'
import { checkPushHosts } from './services.check.ts'

const pushing = { webPushContact: 'mailto:push@evac.test', pushHosts: ['push.example'] }
const answers: CallOut = async () => ({ status: 404, headers: {}, body: Buffer.alloc(0) })
const withoutWay: CallOut = async ({ url }) => {
  if (url.includes('apple') || url.includes('example')) throw new Error('getaddrinfo ENOTFOUND')
  return answers({ url, setBy: 'operator', method: 'POST' })
}

test('LADDER-23 the doctor names each push service that cannot be reached', async () => {
  expect(await checkPushHosts(pushing, withoutWay)).toEqual([
    { state: 'warning', what: 'alerts on phones: web.push.apple.com cannot be reached: getaddrinfo ENOTFOUND' },
    { state: 'warning', what: 'alerts on phones: push.example cannot be reached: getaddrinfo ENOTFOUND' },
  ])
  expect(await checkPushHosts(pushing, answers)).toEqual([
    { state: 'good', what: 'alerts on phones: the push services can be reached' },
  ])
  expect(await checkPushHosts({ webPushContact: '', pushHosts: [] }, withoutWay)).toEqual([])
})
