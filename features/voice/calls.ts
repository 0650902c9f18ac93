import { Type } from 'typebox'
import { defineCall } from '#kernel/route.ts'

/** The reference of the call, which Twilio repeats. */
const query = Type.Object({
  call: Type.String({ maxLength: 100 }),
  /** Another key was pressed before. */
  again: Type.Optional(Type.Literal('1')),
})
const policy = { access: 'public', signed: true } as const

/** Twilio's forms are checked by their signature, not by a schema, because Twilio may add fields at any time. */
export const receiveTwilioKey = defineCall({
  summary: 'Takes the key that was pressed in a call; signed by Twilio, answered in TwiML',
  method: 'POST',
  path: '/api/sms/twilio/key',
  query,
  reply: Type.String(),
  policy,
  refusals: ['forbidden'],
})

export const receiveTwilioCall = defineCall({
  summary: 'Takes what Twilio reports of a call; signed by Twilio',
  method: 'POST',
  path: '/api/sms/twilio/call',
  query,
  reply: Type.String(),
  policy,
  refusals: ['forbidden'],
})
