import { Type } from 'typebox'
import { SignInUid } from '../ids.ts'
import { defineCall } from '../route.ts'

export const sendReportInLinks = defineCall({
  summary: 'Text wardens who are unknown or off duty a link to report in (LINK-07, AMB-145, AMB-146)',
  method: 'POST',
  path: '/api/v2/warden/send-report-in-links',
  body: Type.Object(
    {
      /** Wardens of the caller's event; others, and those who are on duty or not available, are passed over. */
      warden_sign_in_uids: Type.Array(SignInUid, { minItems: 1, maxItems: 2000 }),
      /** The caller's own sign-in. */
      sender_warden_sign_in_uid: SignInUid,
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    /** Links sent. */
    recordsInserted: Type.Integer(),
  }),
  policy: { access: 'duty', flag: 'Module_Warden_Messaging', withoutEvent: 'refuse' },
  refusals: ['forbidden', 'no_event', 'not_on_duty'],
})
