import type Twilio from 'twilio'
import type { TwilioSettings } from '#server/platform/config/gateway-settings.ts'
import type { CallOut } from '#server/platform/outgoing.ts'
import {
  GatewayRefusal,
  type Handover,
  type OutgoingCall,
  type SmsGateway,
  type TakenCall,
  TextRejected,
} from '../sms-gateway.ts'
import { refusalsHere, refusalsOfTheNumber } from './twilio-errors.ts'
import { askForKey } from './twiml.ts'

export const twilioName = 'twilio'
const twilioUrl = 'https://api.twilio.com'
const shortestValiditySeconds = 5
const longestValiditySeconds = 36_000
const ringSeconds = 25
const longestCallSeconds = 120

/** Twilio's callback address for receipts. Twilio's signature covers the reference in it. */
const statusCallback = (appUrl: string, reference: string) =>
  `${appUrl}/api/sms/twilio/status?text=${encodeURIComponent(reference)}`

/** Sends texts by Twilio's Messages resource. The SDK costs 150 ms and 30 MB, so it is loaded with the first text. */
export function createTwilio(settings: TwilioSettings, appUrl: string, callOut: CallOut): SmsGateway {
  let client: Promise<Twilio.Twilio> | undefined
  async function makeCall(from: string, { reference, to, say }: OutgoingCall): Promise<Handover> {
    client ??= openClient(settings, callOut)
    const { calls } = await client
    const back = (path: string) => `${appUrl}/api/sms/twilio/${path}?call=${encodeURIComponent(reference)}`
    try {
      const { sid } = await calls.create({
        to: `+${to}`,
        from,
        twiml: askForKey(say, back('key')),
        timeout: ringSeconds,
        timeLimit: longestCallSeconds,
        statusCallback: back('call'),
        // the first one tells that Twilio has it, if this worker is killed before it is noted
        statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
      })
      return { gateway: twilioName, providerIds: [sid] }
    } catch (error) {
      throw explain(error)
    }
  }
  async function hangUp({ providerId }: TakenCall): Promise<void> {
    client ??= openClient(settings, callOut)
    try {
      // 'canceled' leaves a call that was answered
      await (await client).calls(providerId).update({ status: 'canceled' })
    } catch (error) {
      throw explain(error)
    }
  }
  return {
    name: twilioName,
    async send({ reference, to, body, validUntil }) {
      client ??= openClient(settings, callOut)
      const { messages } = await client
      try {
        const { sid } = await messages.create({
          to: `+${to}`,
          body,
          ...sender(settings.from),
          statusCallback: statusCallback(appUrl, reference),
          validityPeriod: secondsUntil(validUntil),
        })
        return { gateway: twilioName, providerIds: [sid] }
      } catch (error) {
        throw explain(error)
      }
    },
    ...(settings.voiceFrom && { call: (call) => makeCall(settings.voiceFrom as string, call), hangUp }),
    async check() {
      client ??= openClient(settings, callOut)
      try {
        await (await client).api.accounts(settings.accountSid).fetch()
      } catch (error) {
        throw explain(error)
      }
    },
    async close() {},
  }
}

/** The SDK words the requests, and our client makes them. */
async function openClient(settings: TwilioSettings, callOut: CallOut): Promise<Twilio.Twilio> {
  const { accountSid, authToken, apiUrl = twilioUrl } = settings
  const { default: twilio } = await import('twilio')
  const httpClient = new twilio.RequestClient()
  httpClient.request = async ({ method, uri, username, password, data }) => {
    const fields = Object.entries(data ?? {}).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    )
    const form = data && new URLSearchParams(fields)
    const { status, headers, body } = await callOut({
      url: uri.replace(twilioUrl, apiUrl),
      setBy: 'operator',
      method: method.toUpperCase() as 'GET' | 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { body: form.toString() }),
    })
    return { statusCode: status, headers, body: JSON.parse(String(body)) }
  }
  return twilio(accountSid, authToken, { httpClient })
}

/** The sender: a messaging service, or a number or name of the account. */
const sender = (from: string) => (from.startsWith('MG') ? { messagingServiceSid: from } : { from })

function secondsUntil(validUntil: Date): number {
  const seconds = Math.floor((validUntil.getTime() - Date.now()) / 1000)
  return Math.min(Math.max(seconds, shortestValiditySeconds), longestValiditySeconds)
}

/** An error without number and text, which the SDK's own error may contain. */
function explain(error: unknown): Error {
  const { code, status } = error as { code?: number | string; status?: number }
  if (typeof code === 'number') {
    const ofTheNumber = refusalsOfTheNumber[code]
    if (ofTheNumber) return new TextRejected(ofTheNumber)
    const here = refusalsHere[code]
    if (here) return new GatewayRefusal(here)
  }
  return new Error(`Twilio does not accept texts at the moment (${[status, code].filter(Boolean).join(', ')})`)
}
