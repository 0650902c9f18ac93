import { type Static, Type } from 'typebox'
import { defineCall } from './route.ts'

/** Digits with country code. */
const Mobile = Type.String({ pattern: '^[0-9]{8,15}$' })

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
