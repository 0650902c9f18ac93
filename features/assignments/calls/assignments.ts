import { type Static, Type } from 'typebox'
import { AssignmentUid } from '#kernel/ids.ts'
import { longestReason } from '#kernel/limits.ts'
import { defineCall } from '#kernel/route.ts'

/** A person with a personal emergency evacuation plan. Health data: never cached, never logged. */
export type PeepEntry = Static<typeof PeepEntry>
export const PeepEntry = Type.Object({
  Person: Type.String(),
  /** 'Building - Floor'. */
  PEEP_Floor: Type.String(),
  PEEP_Summary: Type.String(),
})

export const listAssignmentPeeps = defineCall({
  summary: "People with a plan in the area of one's own offered or accepted assignment",
  method: 'GET',
  path: '/api/v2/warden/peep/:wardenAssignmentUID',
  params: Type.Object({ wardenAssignmentUID: AssignmentUid }),
  reply: Type.Array(PeepEntry),
  policy: { access: 'session' },
  refusals: ['not_found'],
})

/** The statuses that a warden may set. An assignment begins as 'Offered'. */
export const assignmentAnswers = ['Accepted', 'Declined', 'Withdrawn'] as const
export type AssignmentAnswer = (typeof assignmentAnswers)[number]

export type AssignmentStatusInput = Static<typeof AssignmentStatusInput>
export const AssignmentStatusInput = Type.Object(
  {
    Warden_Assignment_UID: AssignmentUid,
    Assignment_Status: Type.Enum([...assignmentAnswers]),
    /** 1 to 500 characters after trimming, for 'Declined' and 'Withdrawn'. Ignored for 'Accepted'. */
    Assignment_Declined_Note: Type.Optional(Type.Union([Type.String({ maxLength: 4 * longestReason }), Type.Null()])),
  },
  { additionalProperties: false },
)

export const updateAssignmentStatus = defineCall({
  summary: "Accepts, declines or withdraws from one's own assignment",
  method: 'POST',
  path: '/api/v2/warden/updateAssignmentStatus',
  body: AssignmentStatusInput,
  reply: Type.Object({ success: Type.Literal(true) }),
  policy: { access: 'session' },
  refusals: ['not_found', 'invalid_transition', 'on_duty'],
})

export const listDocuments = defineCall({
  summary: 'Documents of the site, role or assignment, by name, as links to open in a browser',
  method: 'GET',
  path: '/api/v2/warden/documents',
  query: Type.Object({ wardenAssignmentUID: AssignmentUid }),
  reply: Type.Object({
    documents: Type.Array(Type.Object({ Document_Name: Type.String(), Document_S3_Link: Type.String() })),
  }),
  policy: { access: 'session' },
  refusals: ['not_found'],
})
