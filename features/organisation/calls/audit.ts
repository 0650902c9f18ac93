import { type Static, Type } from 'typebox'
import { auditKinds } from '#kernel/console-kinds.ts'
import { listOf, listQuery } from '#kernel/console-list.ts'
import { PersonUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { Day } from '#kernel/vocabulary.schemas.ts'

const Nullable = Type.Null()
const policy = { access: 'console', right: 'organisation' } as const

const filters = {
  /** Who did it: a person, or the operator of the installation. */
  who: Type.Optional(PersonUid),
  operator: Type.Optional(Type.Literal('yes')),
  kind: Type.Optional(Type.Enum([...auditKinds])),
  /** Whom it is about. */
  person: Type.Optional(PersonUid),
  /** Days in the organisation's zone, both included. */
  from: Type.Optional(Day),
  to: Type.Optional(Day),
}

/** A field that changed. Ids are shown by name. */
const Change = Type.Object({
  field: Type.String(),
  before: Type.Union([Type.String(), Nullable]),
  after: Type.Union([Type.String(), Nullable]),
})

export type AuditEntry = Static<typeof AuditEntry>
const AuditEntry = Type.Object({
  position: Type.String(),
  at: Type.String(),
  /** Null: the operator of the installation. */
  who: Type.Union([Type.String(), Nullable]),
  /** The name of the action, such as `plan_viewed`. */
  action: Type.String(),
  /** On whom or what. Null where the actor is meant. */
  subject: Type.Union([Type.String(), Nullable]),
  changes: Type.Array(Change),
})

export const listAudit = defineCall({
  summary: 'What happened outside events, with their starts and ends, newest first, 50 at a time',
  method: 'GET',
  path: '/api/console/audit',
  query: Type.Object({ after: listQuery.after, before: listQuery.before, ...filters }),
  reply: listOf(AuditEntry),
  policy,
  refusals: ['not_found'],
})

export const downloadAudit = defineCall({
  summary: 'The same entries as a CSV file, up to 100,000 of them',
  method: 'GET',
  path: '/api/console/audit/file',
  query: Type.Object(filters),
  /** `text/csv` in UTF-8 with a byte order mark. */
  reply: Type.String(),
  policy,
  refusals: ['not_found'],
})
