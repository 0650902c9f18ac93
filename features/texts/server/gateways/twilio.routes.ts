import { routes } from '#server/http/routes.ts'
import { signed } from '#server/http/serve.ts'
import { receiveTwilioStatus, receiveTwilioText } from '../../calls/sms.ts'
import { collect, receiptBatches } from '../batch-receipts.ts'
import { keepInboundText } from '../inbound/inbound.service.ts'
import { noteReceipts } from '../receipts.service.ts'
import type { Receipt } from '../sms-gateway.ts'
import { twilioName } from './twilio.gateway.ts'
import { failureOf } from './twilio-errors.ts'
import { type Form, formOf, isFromTwilio, readForms } from './twilio-requests.ts'

const calls = { receiveTwilioStatus, receiveTwilioText }

/** Receives Twilio's receipts and incoming texts. The signature covers the callback address. */
export const twilioRoutes = routes(calls, (app) => {
  const { system } = app
  // reports arrive one by one and are stored in batches; each is answered once it is stored
  const noteReceipt = collect((receipts: readonly Receipt[]) => noteReceipts(system, receipts), receiptBatches)
  readForms(app)

  return {
    receiveTwilioStatus: signed(isFromTwilio, async ({ query, request, reply }) => {
      const receipt = receiptOf(formOf(request), query.text)
      if (receipt) await noteReceipt(receipt)
      reply.type('text/plain')
      return ''
    }),

    receiveTwilioText: signed(isFromTwilio, async ({ request, reply }) => {
      const { MessageSid, From, Body, NumMedia } = formOf(request)
      const media = Number(NumMedia) || 0
      if (MessageSid && From)
        await keepInboundText(app, { gateway: twilioName, providerId: MessageSid, from: From, body: Body ?? '', media })
      reply.type('text/xml')
      return '<Response/>'
    }),
  }
})

const statuses: Readonly<Record<string, Receipt['status']>> = {
  accepted: 'handed_over',
  queued: 'handed_over',
  sending: 'handed_over',
  sent: 'handed_over',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
}

function receiptOf({ MessageSid, MessageStatus, ErrorCode }: Form, reference: string): Receipt | undefined {
  const status = statuses[MessageStatus ?? '']
  if (!MessageSid || !status) return undefined
  const receipt = { gateway: twilioName, providerId: MessageSid, reference, status }
  return status === 'failed' ? { ...receipt, reason: failureOf(ErrorCode) } : receipt
}
