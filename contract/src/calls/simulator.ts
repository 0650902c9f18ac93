import { type Static, Type } from 'typebox'
import { defineCall } from '../route.ts'

/** Digits with country code. */
const Mobile = Type.String({ pattern: '^[0-9]{8,15}$', maxLength: 15 })

/** A phone on file, whoever holds it. */
export type SimulatedPhone = Static<typeof SimulatedPhone>
const SimulatedPhone = Type.Object({
  mobile: Mobile,
  name: Type.String(),
  /** How many texts have arrived. */
  texts: Type.Integer(),
})

/** A text as the phone shows it, link and all. */
export type SimulatedText = Static<typeof SimulatedText>
const SimulatedText = Type.Object({ id: Type.String(), body: Type.String(), received_at: Type.String() })

/** A mail as its reader shows it, link and all. */
export type SimulatedMail = Static<typeof SimulatedMail>
const SimulatedMail = Type.Object({
  id: Type.String(),
  subject: Type.String(),
  body: Type.String(),
  received_at: Type.String(),
})

/** The phones of the simulator stand in for real ones; these calls are not there in production. */
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
  summary: 'Mails that have arrived for whoever holds a phone of the simulator, newest first',
  method: 'GET',
  path: '/api/simulator/mails',
  query: Type.Object({ mobile: Mobile }),
  reply: Type.Array(SimulatedMail),
  policy: { access: 'public' },
})

export const sendSimulatedReply = defineCall({
  summary: 'A text from a phone of the simulator to the organisation: what a real one would answer (AMB-129, AMB-130)',
  method: 'POST',
  path: '/api/simulator/replies',
  body: Type.Object(
    {
      /** Made by the page for this one reply: the same one again is taken once. */
      id: Type.String({ format: 'uuid' }),
      mobile: Mobile,
      /** Of any length that a phone sends. */
      text: Type.String({ minLength: 1, maxLength: 1600 }),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    /** 'unmatched': the number is nobody's in a running event; it was noted, and no thread shows it. */
    outcome: Type.Enum(['stored', 'status_set', 'opted_out', 'opted_in', 'unmatched', 'repeated']),
  }),
  policy: { access: 'public' },
})
