import { Type } from 'typebox'
import { typeSets } from '#features/organisation/type-sets.ts'
import { NextStep } from '#features/sign-in/calls/console-sign-in.ts'
import { defineCall } from '#kernel/route.ts'

const closed = { additionalProperties: false } as const
const Line = Type.String({ maxLength: 300 })

export const setUp = defineCall({
  summary: 'Create the first organisation and its first administrator, once per installation',
  method: 'POST',
  path: '/api/console/set-up',
  body: Type.Object(
    {
      /** From the address that the server printed. */
      token: Type.String({ maxLength: 200 }),
      organisation: Type.Object({ name: Line, code: Line, country: Line, timezone: Line }, closed),
      administrator: Type.Object({ first_name: Line, last_name: Line, email: Line, mobile: Line }, closed),
      password: Type.String({ maxLength: 1000 }),
      /** The password as it was typed again. Another one is refused. */
      again: Type.Optional(Type.String({ maxLength: 1000 })),
      /** What kind of place it is: its event types are there beside the usual ones. */
      set: Type.Optional(Type.Enum([...typeSets])),
    },
    closed,
  ),
  reply: NextStep,
  policy: { access: 'public' },
  refusals: ['already_set_up', 'forbidden', 'too_many_attempts'],
  countedByAddress: false,
})
