import { Type } from 'typebox'
import { defineCall } from '#kernel/route.ts'

export const health = defineCall({
  summary: 'The API answers',
  method: 'GET',
  path: '/api/health',
  reply: Type.Object({ ok: Type.Literal(true) }),
  policy: { access: 'public' },
})
