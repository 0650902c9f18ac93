import { type Static, Type } from 'typebox'
import { defineCall } from '#kernel/route.ts'

/** A signed size and root of the log of an event. */
export type LogHead = Static<typeof LogHead>
export const LogHead = Type.Object({
  /** Entries of the log. */
  size: Type.Integer(),
  /** Base64. */
  root: Type.String(),
  at: Type.String(),
  /** The verifier key that has signed it. */
  key: Type.String(),
  /** A time stamp authority has stamped it (RFC 3161). */
  stamped: Type.Boolean(),
})

/** What the last check of a log found. */
export type LogCheck = Static<typeof LogCheck>
export const LogCheck = Type.Object({
  /** When it was checked last or, with trouble, when that was found. */
  at: Type.String(),
  /** Entries that were checked. */
  size: Type.Integer(),
  /** A sentence for people. Null: all is as logged. */
  trouble: Type.Union([Type.String(), Type.Null()]),
})

export const listLogKeys = defineCall({
  summary: 'The keys that sign the heads of event logs here, as verifier keys of C2SP signed-note, oldest first',
  method: 'GET',
  path: '/api/record/key',
  reply: Type.Object({
    keys: Type.Array(
      Type.Object({
        /** NAME+ID+KEY, as record-check.mjs reads it. */
        key: Type.String(),
        /** When it first signed. Null: not yet. */
        since: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
  }),
  policy: { access: 'public' },
})

export const getRecordChecker = defineCall({
  summary: 'record-check.mjs, the program that checks a record',
  method: 'GET',
  path: '/api/record/checker',
  reply: Type.String(),
  policy: { access: 'public' },
})

export const getLogOfHeads = defineCall({
  summary: 'The newest checkpoint of the log of heads of this server, a signed note of C2SP tlog-checkpoint',
  method: 'GET',
  path: '/api/record/heads',
  reply: Type.Object({
    /** Null: no head was ever signed here. */
    checkpoint: Type.Union([Type.String(), Type.Null()]),
  }),
  policy: { access: 'public' },
})
