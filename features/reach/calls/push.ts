import { Type } from 'typebox'
import { defineCall } from '#kernel/route.ts'

/** The address that a browser's push service gives this phone. */
const Endpoint = Type.String({ minLength: 1, maxLength: 1000, pattern: '^https://' })
const done = Type.Object({ status: Type.Literal('done') })
const body = Type.Object({ endpoint: Endpoint }, { additionalProperties: false })
const policy = { access: 'session' } as const

export const getPushKey = defineCall({
  summary: 'The public key by which this server signs alerts, or null where alerts are not set up',
  method: 'GET',
  path: '/api/push/key',
  /** P-256, uncompressed, base64url: `applicationServerKey` of the browser. */
  reply: Type.Object({ key: Type.Union([Type.String(), Type.Null()]) }),
  policy,
})

export const turnOnAlerts = defineCall({
  summary:
    'Alerts on this phone for the caller, in place of anyone who had them there; also says that they are still wanted',
  method: 'POST',
  path: '/api/push',
  body,
  reply: done,
  policy,
  refusals: ['invalid_request'],
})

export const turnOffAlerts = defineCall({
  summary: 'No more alerts on this phone',
  method: 'POST',
  path: '/api/push/off',
  body,
  reply: done,
  policy,
})
