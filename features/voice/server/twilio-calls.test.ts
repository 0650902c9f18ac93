import { expect, test } from 'vitest'
import { askPerson, statusOf } from '#features/messaging/server/messaging.fixture.ts'
import { called, lockDown } from '#features/reach/server/reach.fixture.ts'
import { accountSid, publicUrl, startServerWith, startTwilio } from '#features/texts/server/gateways/twilio.fixture.ts'
import { asked, byCall, callAfter, linesOf, makeCalls } from './voice.fixture.ts'

async function startVoice() {
  const twilio = await startTwilio()
  const server = await startServerWith(twilio)
  return { twilio, server }
}

test('LADDER-11 LADDER-13 a call goes to Twilio, and a signed 2 sets danger; unsigned is 403', async () => {
  const { twilio, server } = await startVoice()
  await using _ = twilio
  await using __ = server
  const c = await asked(server)
  await askPerson(c)
  await callAfter(server, c, 61, { gateway: server.gateway })
  const [call] = twilio.calls
  const twiml = call?.Twiml ?? ''
  const address = /action="([^"]+)"/.exec(twiml)?.[1]?.replaceAll('&amp;', '&') ?? ''

  expect(call).toMatchObject({ To: `+${c.mobile}`, From: '+61255500001', Timeout: '25', TimeLimit: '120' })
  expect(twiml.match(/<Say>/g)).toHaveLength(2)
  expect(twiml).toContain('numDigits="1" timeout="8"')
  expect(address).toMatch(`${publicUrl}/api/sms/twilio/key?call=`)
  const form = { AccountSid: accountSid, CallSid: 'CA1', Digits: '2' }
  expect(await server.post(address, form, { signature: null })).toMatchObject({ status: 403 })
  expect(await server.post(address, form, { signature: 'wrong' })).toMatchObject({ status: 403 })
  expect(await statusOf(server, c)).toBe('unknown')

  const answer = await server.post(address, form)

  expect(answer).toMatchObject({ status: 200, type: expect.stringMatching(/^text\/xml/) })
  expect(answer.body).toContain('<Say>Thank you.</Say>')
  expect(await statusOf(server, c)).toBe('danger')
})

test('LADDER-12 another key is asked once more, and then the call ends; the words are escaped', async () => {
  const { twilio, server } = await startVoice()
  await using _ = twilio
  await using __ = server
  const c = await called(server, byCall('report_in'), {
    before: (_wardens, org) =>
      server.db.updateTable('client').set({ name: 'Fish & <Chips>' }).where('uid', '=', org.clientUid).execute(),
  })
  await callAfter(server, c, 61, { gateway: server.gateway })
  const twiml = twilio.calls[0]?.Twiml ?? ''
  expect(twiml).toContain('This is Fish &amp; &lt;Chips&gt;. ')
  const actionIn = (xml: string) => /action="([^"]+)"/.exec(xml)?.[1]?.replaceAll('&amp;', '&') ?? ''

  const once = await server.post(actionIn(twiml), { Digits: '9' })
  expect(once.body).toContain('<Gather')
  expect((await server.post(actionIn(once.body), { Digits: '9' })).body).toMatch(/<Response\/>$/)
  expect((await server.post(`${publicUrl}/api/sms/twilio/key?call=x/y`, { Digits: '1' })).body).toMatch(/<Response\/>$/)
})

test('LADDER-04 LADDER-11 what Twilio reports: busy, not in use, and a mailbox that presses no key', async () => {
  const { twilio, server } = await startVoice()
  await using _ = twilio
  await using __ = server
  const c = await called(server, byCall('report_in'))
  await callAfter(server, c, 61, { gateway: server.gateway })
  const report = async (mobile: string | null, ...statuses: string[]) => {
    const call = twilio.calls.find(({ To }) => To === `+${mobile}`)
    for (const CallStatus of statuses)
      expect((await server.post(call?.StatusCallback ?? '', { CallSid: 'CA1', CallStatus })).status).toBe(200)
    return call?.StatusCallback ?? ''
  }
  await report(c.ann.mobile, 'initiated', 'ringing', 'in-progress', 'completed', 'ringing')
  await report(c.bob.mobile, 'ringing', 'busy')
  const address = await report(c.cas.mobile, 'failed')

  expect(await server.post(address, { CallSid: 'CA1', CallStatus: 'busy' }, { signature: null })).toMatchObject({
    status: 403,
  })
  expect(await linesOf(server, c.ann)).toEqual(['call failed: No answer.'])
  expect(await linesOf(server, c.bob)).toEqual(['call failed: Line busy.'])
  expect(await linesOf(server, c.cas)).toEqual(['call failed: The number is not in use.'])
})

test('LADDER-10 a call whose worker was killed before it noted it, but that Twilio reports, is not made again', async () => {
  const { twilio, server } = await startVoice()
  await using _ = twilio
  await using __ = server
  const c = await called(server, byCall('report_in'))
  await callAfter(server, c, 61, { gateway: server.gateway })
  await server.db
    .updateTable('ring')
    .set({ status: 'queued', gateway: null, providerId: null, leaseUntil: new Date(0) })
    .where('toMobile', '=', c.ann.mobile)
    .execute()
  const call = twilio.calls.find(({ To }) => To === `+${c.ann.mobile}`)
  await server.post(call?.StatusCallback ?? '', { CallSid: 'CA1', CallStatus: 'initiated' })

  await callAfter(server, c, 0, { gateway: server.gateway })

  expect(twilio.calls.filter(({ To }) => To === `+${c.ann.mobile}`)).toHaveLength(1)
  expect(await linesOf(server, c.ann)).toEqual(['call handed_over: '])
})

test('RESP-05 LADDER-11 Twilio is told to cancel a call that rings where people hide, once', async () => {
  const { twilio, server } = await startVoice()
  await using _ = twilio
  await using __ = server
  const c = await called(server, byCall('report_in'))
  const over = { gateway: server.gateway }
  await callAfter(server, c, 61, over)
  expect(twilio.calls).toHaveLength(3)
  await lockDown(c)

  await makeCalls(server, over)
  await makeCalls(server, over)

  expect(twilio.ended.map(({ sid, Status }) => [sid.slice(-1), Status]).sort()).toEqual([
    ['1', 'canceled'],
    ['2', 'canceled'],
    ['3', 'canceled'],
  ])
  expect(await linesOf(server, c.ann)).toEqual(['call failed: Building in lockdown.'])
})
