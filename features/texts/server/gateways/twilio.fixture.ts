import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestServer, testConfig } from '#server/testing/test-server.ts'
import { sendTexts } from '#server/testing/texts.ts'
import { openGateways } from './gateways.ts'

export const accountSid = `AC${'0'.repeat(32)}`
const authToken = 'a token for tests'
/** Seen from outside; the app itself listens elsewhere, behind a proxy. */
export const publicUrl = 'https://evac.example'

type Form = Record<string, string>
/** What the stand-in answers: 201 unless told otherwise. */
type Answer = { status: number; code?: number } | 'hang' | 'cut' | undefined

/** Speaks Twilio's resources of messages and calls as documented, over a real socket. */
export async function startTwilio(answer: (form: Form, nth: number) => Answer = () => undefined) {
  const messages: Form[] = []
  const calls: Form[] = []
  const ended: (Form & { sid: string })[] = []
  let asked = 0
  const server = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await bodyOf(request)))
    const isOurs = request.headers.authorization === `Basic ${btoa(`${accountSid}:${authToken}`)}`
    const resource = request.url?.replace(`/2010-04-01/Accounts/${accountSid}/`, '')
    const isCall = resource === 'Calls.json'
    const one = /^Calls\/(CA\d{32})\.json$/.exec(resource ?? '')?.[1]
    const isKnown = request.method === 'POST' && (isCall || one !== undefined || resource === 'Messages.json')
    const told =
      isOurs && isKnown ? answer(form, ++asked) : { status: isKnown ? 401 : 404, code: isKnown ? 20003 : 20404 }
    if (told === 'hang') return
    if (told === 'cut') return request.socket.destroy()
    const { status, code } = told ?? { status: 201 }
    response.writeHead(status, { 'content-type': 'application/json' })
    if (status !== 201) return response.end(JSON.stringify({ status, code, message: `no ${form.To}`, more_info: '' }))
    if (one) {
      ended.push(Object.assign(form, { sid: one }))
      return response.end(JSON.stringify({ sid: one, status: 'canceled' }))
    }
    if (isCall) {
      const sid = `CA${String(calls.push(form)).padStart(32, '0')}`
      return response.end(JSON.stringify({ sid, status: 'queued', to: form.To }))
    }
    const sid = `SM${String(messages.push(form)).padStart(32, '0')}`
    response.end(JSON.stringify({ sid, status: 'queued', to: form.To, body: form.Body, error_code: null }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    messages,
    calls,
    ended,
    sidOf: (nth: number) => `SM${String(nth).padStart(32, '0')}`,
    settings: {
      accountSid,
      authToken,
      from: '+61491570006',
      voiceFrom: '+61255500001',
      apiUrl: `http://127.0.0.1:${port}`,
    },
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
export type TwilioStandIn = Awaited<ReturnType<typeof startTwilio>>

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

/** The app set up for the stand-in, and Twilio's way to it. */
export async function startServerWith(twilio: TwilioStandIn) {
  const ofTwilio = { smsGateways: ['twilio'] as const, twilio: twilio.settings }
  const config = { ...testConfig, ...ofTwilio, appUrl: publicUrl, requestsPerMinute: 100 }
  const server = await startTestServer({ config })
  const troubles: unknown[] = []
  const gateway = openGateways(server.app, config, { onTrouble: (error) => troubles.push(error) })
  /** A request as Twilio makes it: a form, signed over the public address and the fields in the order of their names. */
  async function post(url: string, form: Form, over: { signature?: string | null; signedUrl?: string } = {}) {
    const signature = over.signature === undefined ? sign(over.signedUrl ?? url, form) : over.signature
    const { statusCode, body, headers } = await server.app.inject({
      method: 'POST',
      url: url.slice(publicUrl.length),
      headers: {
        host: '10.0.0.7:8080',
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        ...(signature !== null && { 'x-twilio-signature': signature }),
      },
      payload: new URLSearchParams(form).toString(),
    })
    return { status: statusCode, body, type: headers['content-type'] }
  }
  return Object.assign(server, {
    gateway,
    troubles,
    post,
    send: () => sendTexts(server, { gateway, appUrl: publicUrl, onTrouble: (error) => troubles.push(error) }),
    /** What became of the nth text, told where Twilio was asked to tell it. */
    report: (nth: number, MessageStatus: string, more: Form = {}) => {
      const url = twilio.messages[nth - 1]?.StatusCallback as string
      const form = {
        AccountSid: accountSid,
        MessageSid: twilio.sidOf(nth),
        MessageStatus,
        ApiVersion: '2010-04-01',
        ...more,
      }
      return post(url, form)
    },
  })
}

export function sign(url: string, form: Form): string {
  const fields = Object.keys(form)
    .sort()
    .map((name) => name + form[name])
  return createHmac('sha1', authToken)
    .update(url + fields.join(''))
    .digest('base64')
}
