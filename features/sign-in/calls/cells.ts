import { Type } from 'typebox'
import { defineCall } from '#kernel/route.ts'

export const answerCell = defineCall({
  summary:
    'Answer what another cell asks for someone who came to the wrong address: whether a password fits, or to send a link',
  method: 'POST',
  path: '/api/cells/questions',
  /** Encrypted with the key that only cells have, in base64url. */
  body: Type.Object({ sealed: Type.String({ maxLength: 8000 }) }, { additionalProperties: false }),
  reply: Type.Object({ sealed: Type.String() }),
  policy: { access: 'public', signed: true },
  refusals: ['forbidden', 'too_many_attempts'],
})
