import { callWords } from '#features/reach/words.ts'
import { twilioName } from '#features/texts/server/gateways/twilio.gateway.ts'
import { type Form, formOf, isFromTwilio, readForms } from '#features/texts/server/gateways/twilio-requests.ts'
import { askForKey, hangUp, sayOnce } from '#features/texts/server/gateways/twiml.ts'
import { textOf } from '#features/texts/server/receipts.service.ts'
import { routes } from '#server/http/routes.ts'
import { signed } from '#server/http/serve.ts'
import * as calls from '../calls.ts'
import { noteReported } from './calling.queries.ts'
import { pressKey } from './press-key.service.ts'
import { callReasons } from './reasons.ts'

/** Receives from Twilio what became of calls, and the keys that were pressed. The signature covers the reference. */
export const twilioCallsRoutes = routes(calls, (app) => {
  readForms(app)
  return {
    receiveTwilioKey: signed(isFromTwilio, async ({ query, request, reply }) => {
      const key = textOf(query.call)
      const pressed = key && (await pressKey(app, key, formOf(request).Digits ?? ''))
      reply.type('text/xml')
      if (pressed?.is === 'taken') return sayOnce(callWords.thanks)
      // another key: once more
      if (pressed?.is !== 'another' || query.again) return hangUp()
      return askForKey(pressed.say, `${app.config.appUrl}${request.url}&again=1`)
    }),

    receiveTwilioCall: signed(isFromTwilio, async ({ query, request, reply }) => {
      const key = textOf(query.call)
      const { CallSid, CallStatus } = formOf(request)
      const reported = reports[CallStatus ?? '']
      if (key && CallSid && reported)
        await noteReported(app.system, key, { ...reported, gateway: twilioName, providerId: CallSid })
      reply.type('text/plain')
      return ''
    }),
  }
})

type Reported = Omit<Parameters<typeof noteReported>[2], 'gateway' | 'providerId'>

const ringing: Reported = { state: 'ringing' }
/** A call that ends without a key was answered by no one, a mailbox included. */
const reports: Readonly<Record<Form[string], Reported>> = {
  queued: ringing,
  initiated: ringing,
  ringing,
  'in-progress': { state: 'picked_up' },
  completed: { state: 'ended', reason: callReasons.noAnswer },
  'no-answer': { state: 'ended', reason: callReasons.noAnswer },
  canceled: { state: 'ended', reason: callReasons.noAnswer },
  busy: { state: 'ended', reason: callReasons.busy },
  failed: { state: 'ended', reason: callReasons.dead },
}
