import { Type } from 'typebox'
import { EventUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

export const holdRecord = defineCall({
  summary: 'Keeps everything of an event until the hold is lifted. Needs Module_Event_Management, too',
  method: 'POST',
  path: '/api/event/records/:eventUid/hold',
  params: Type.Object({ eventUid: EventUid }),
  body: Type.Object(
    { hold: Type.Boolean(), reason: Type.String({ minLength: 5, maxLength: 200 }) },
    { additionalProperties: false },
  ),
  reply: Type.Object({ hold: Type.Boolean() }),
  policy: { access: 'session', flag: 'Module_Event_Records' },
  refusals: ['not_found', 'forbidden'],
})
