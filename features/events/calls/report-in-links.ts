import { Type } from 'typebox'
import { SignInUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

export const sendReportInLinks = defineCall({
  summary: 'Text wardens who are unknown or off duty a link to report in',
  method: 'POST',
  path: '/api/v2/warden/send-report-in-links',
  body: Type.Object(
    {
      /** Wardens of the caller's event. Others, and wardens who are on duty or not available, are skipped. */
      warden_sign_in_uids: Type.Array(SignInUid, { minItems: 1, maxItems: 2000 }),
      /** The caller's own participation. */
      sender_warden_sign_in_uid: SignInUid,
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    /** Number of links sent. */
    recordsInserted: Type.Integer(),
    /** Additive: those who could not be texted, and why in words. Not those who were skipped. */
    not_reached: Type.Array(Type.Object({ wardenSignInUid: SignInUid, reason: Type.String() })),
  }),
  policy: { access: 'duty', flag: 'Module_Warden_Messaging', withoutEvent: 'refuse' },
  refusals: ['forbidden', 'no_event', 'not_on_duty'],
})
