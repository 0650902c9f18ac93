import { Type } from 'typebox'
import { defineCall } from '#kernel/route.ts'
import { Instant } from '#kernel/vocabulary.schemas.ts'

/**
 * A reply to a text, from the operator's own gateway. Signed as in Standard Webhooks: headers `webhook-id`,
 * `webhook-timestamp` (at most five minutes off) and `webhook-signature`. A repeated `provider_id` changes nothing.
 */
export const receiveText = defineCall({
  summary: 'Takes a text that someone sent us',
  method: 'POST',
  path: '/api/sms/inbound',
  body: Type.Object(
    {
      /** As the provider writes it: a number in any spelling, a short code or a name. */
      from: Type.String({ minLength: 1, maxLength: 20 }),
      text: Type.String({ maxLength: 2000 }),
      provider_id: Type.String({ minLength: 1, maxLength: 200 }),
      /** When the phone sent it, ISO 8601. A "safe" that was sent before what stands sets nothing. */
      sent_at: Type.Optional(Instant),
      /** The number that was texted. Organisations have no own numbers yet, so it is not read. */
      to: Type.Optional(Type.String({ maxLength: 20 })),
      /** Pictures that came with it. */
      media: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ ok: Type.Literal(true) }),
  policy: { access: 'public', signed: true },
  refusals: ['forbidden'],
})

/** Twilio's form is checked by its signature, not by a schema, because Twilio may add fields at any time. */
export const receiveTwilioStatus = defineCall({
  summary: 'Takes what Twilio reports of a text it was given; signed by Twilio',
  method: 'POST',
  path: '/api/sms/twilio/status',
  query: Type.Object({ text: Type.String({ maxLength: 100 }) }),
  reply: Type.String(),
  policy: { access: 'public', signed: true },
  refusals: ['forbidden'],
})

export const receiveTwilioText = defineCall({
  summary: 'Takes a text that someone sent to our Twilio number; signed by Twilio, answered in TwiML',
  method: 'POST',
  path: '/api/sms/twilio/inbound',
  reply: Type.String(),
  policy: { access: 'public', signed: true },
  refusals: ['forbidden'],
})
