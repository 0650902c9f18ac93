import { Type } from 'typebox'
import { PersonUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'

const policy = { access: 'console', right: 'people' } as const
const params = Type.Object({ uid: PersonUid })

/** A stored row by column, with the names of what it refers to. */
const Row = Type.Record(Type.String(), Type.Unknown())
const Rows = Type.Array(Row)

export const downloadPerson = defineCall({
  summary: 'Everything kept about a person, plans with the Plans permission only; no password, code or token',
  method: 'POST',
  path: '/api/console/people/:uid/data',
  params,
  reply: Type.Object({
    organisation: Type.String(),
    /** ISO 8601 */
    made_at: Type.String(),
    person: Row,
    /** What the person signs in with. Null without an account. */
    account: Type.Union([Row, Type.Null()]),
    groups: Rows,
    assignments: Rows,
    /** Null without the Plans permission. */
    plans: Type.Union([Rows, Type.Null()]),
    documents: Rows,
    grants: Rows,
    invitations: Rows,
    sign_ins: Rows,
    sessions: Rows,
    /** As someone to account for. */
    events: Rows,
    /** As a warden. */
    participations: Rows,
    messages: Rows,
    /** What they said of themselves by page. */
    reports: Rows,
    texts: Rows,
    mails: Rows,
    /** Browsers in which they have turned alerts on. */
    alert_phones: Rows,
    /** What they were to answer in events, and by which ways they could not be tried. */
    reaches: Rows,
    /** Alerts and calls of these, with what became of them. */
    alerts: Rows,
    calls: Rows,
    waiting: Rows,
    /** What was done to the person, and by the person. */
    history: Rows,
  }),
  policy,
  refusals: ['not_found'],
})

export const erasePerson = defineCall({
  summary:
    'Delete what names an inactive person: names, numbers, account, plans; counts and statuses of past events stay. This cannot be undone',
  method: 'POST',
  path: '/api/console/people/:uid/erase',
  params,
  reply: Type.Object({ status: Type.Literal('erased') }),
  policy: { ...policy, confirmed: true },
  refusals: [
    ...(['busy', 'not_found', 'forbidden', 'in_event', 'last_administrator', 'invalid_transition'] as const),
    ...(['beyond_reach', 'confirm_identity'] as const),
  ],
})
