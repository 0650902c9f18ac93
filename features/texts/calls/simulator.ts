import { type Static, Type } from 'typebox'
import { defineCall } from '#kernel/route.ts'

/** Digits with country code. */
const Mobile = Type.String({ pattern: '^[0-9]{8,15}$', maxLength: 15 })

export type SimulatedPhone = Static<typeof SimulatedPhone>
const SimulatedPhone = Type.Object({
  mobile: Mobile,
  name: Type.String(),
  /** Number of texts that have arrived. */
  texts: Type.Integer(),
  ringing: Type.Boolean(),
})

/** A text as the phone shows it, with its link. */
export type SimulatedText = Static<typeof SimulatedText>
const SimulatedText = Type.Object({ id: Type.String(), body: Type.String(), received_at: Type.String() })

/** A mail as a mail program shows it, with its link. */
export type SimulatedMail = Static<typeof SimulatedMail>
const SimulatedMail = Type.Object({
  id: Type.String(),
  subject: Type.String(),
  body: Type.String(),
  received_at: Type.String(),
})

/** The simulator stands in for real phones. These calls do not exist in production. */
export const listSimulatedPhones = defineCall({
  summary: 'Phones of the simulator by name or number, those with the newest texts first',
  method: 'GET',
  path: '/api/simulator/phones',
  query: Type.Object({ search: Type.Optional(Type.String({ maxLength: 100 })) }),
  reply: Type.Array(SimulatedPhone),
  policy: { access: 'public' },
})

export const listSimulatedTexts = defineCall({
  summary: 'Texts that have arrived on a phone of the simulator, newest first',
  method: 'GET',
  path: '/api/simulator/texts',
  query: Type.Object({ mobile: Mobile }),
  reply: Type.Array(SimulatedText),
  policy: { access: 'public' },
})

export const listSimulatedMails = defineCall({
  summary: 'Emails that have arrived for the person holding a phone of the simulator, newest first',
  method: 'GET',
  path: '/api/simulator/mails',
  query: Type.Object({ mobile: Mobile }),
  reply: Type.Array(SimulatedMail),
  policy: { access: 'public' },
})

export const sendSimulatedReply = defineCall({
  summary: 'A text from a phone of the simulator to the organisation: what a real one would answer',
  method: 'POST',
  path: '/api/simulator/replies',
  body: Type.Object(
    {
      /** The page's id of this reply. A repetition is ignored. */
      id: Type.String({ format: 'uuid' }),
      mobile: Mobile,
      /** As long as a phone can send. */
      text: Type.String({ minLength: 1, maxLength: 1600 }),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    /** 'reported': no one in a running event has the number, and wardens see it in Reports. 'unmatched': it is only counted. */
    outcome: Type.Enum(['stored', 'status_set', 'opted_out', 'opted_in', 'reported', 'unmatched', 'repeated']),
  }),
  policy: { access: 'public' },
})

export const getSimulatedCall = defineCall({
  summary: 'The call that rings on a phone of the simulator, or null',
  method: 'GET',
  path: '/api/simulator/call',
  query: Type.Object({ mobile: Mobile }),
  reply: Type.Object({
    call: Type.Union([
      Type.Object({
        id: Type.String(),
        answered: Type.Boolean(),
        /** What the voice says. Empty until the call is answered. */
        say: Type.String(),
        /** The keys that answer it: '12'. */
        keys: Type.String(),
      }),
      Type.Null(),
    ]),
  }),
  policy: { access: 'public' },
})

export const actOnSimulatedCall = defineCall({
  summary: 'Answer or decline a call of the simulator, or press a key in it',
  method: 'POST',
  path: '/api/simulator/calls/:id',
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  body: Type.Object(
    {
      act: Type.Enum(['answer', 'decline', 'key']),
      key: Type.Optional(Type.String({ pattern: '^[0-9*#]$', maxLength: 1 })),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    /** The key answered the call, which is over. */
    taken: Type.Boolean(),
  }),
  policy: { access: 'public' },
  refusals: ['not_found'],
})

/** An administrator of the demo, and what their authenticator shows now. */
export const listSimulatedCodes = defineCall({
  summary: "Codes of the demo's administrators",
  method: 'GET',
  path: '/api/simulator/codes',
  reply: Type.Array(Type.Object({ email: Type.String(), name: Type.String(), code: Type.String() })),
  policy: { access: 'public' },
})
