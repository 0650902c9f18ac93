import type Twilio from 'twilio'
import type { TwilioSettings } from '#server/platform/config/gateway-settings.ts'
import { GatewayRefusal, type SmsGateway, TextRejected } from '../sms-gateway.ts'
import { refusalsHere, refusalsOfTheNumber } from './twilio-errors.ts'

export const twilioName = 'twilio'
/** Shorter than the failover's patience, so that Twilio's own error is logged. */
const timeoutMs = 7_000
/** Concurrent requests. The SDK's default is 20. */
const maxSockets = 50
const shortestValiditySeconds = 5
const longestValiditySeconds = 36_000

/** Twilio's callback address for receipts. Twilio's signature covers the reference in it. */
const statusCallback = (appUrl: string, reference: string) =>
  `${appUrl}/api/sms/twilio/status?text=${encodeURIComponent(reference)}`

/** Sends texts by Twilio's Messages resource. The SDK costs 150 ms and 30 MB, so it is loaded with the first text. */
export function createTwilio(settings: TwilioSettings, appUrl: string): SmsGateway {
  let client: Promise<Twilio.Twilio> | undefined
  return {
    name: twilioName,
    async send({ reference, to, body, validUntil }) {
      client ??= openClient(settings)
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
    async check() {
      client ??= openClient(settings)
      try {
        await (await client).api.accounts(settings.accountSid).fetch()
      } catch (error) {
        throw explain(error)
      }
    },
    async close() {},
  }
}

async function openClient({ accountSid, authToken, apiUrl }: TwilioSettings): Promise<Twilio.Twilio> {
  const { default: twilio } = await import('twilio')
  const httpClient = new twilio.RequestClient({ timeout: timeoutMs, maxSockets })
  if (apiUrl) {
    const request = httpClient.request.bind(httpClient)
    httpClient.request = (options) =>
      request({ ...options, uri: options.uri.replace('https://api.twilio.com', apiUrl) })
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
