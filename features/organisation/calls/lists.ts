import { type Static, type TSchema, Type } from 'typebox'
import type { eventTypeProperties } from '#features/directory/columns.ts'
import { firstActions, statusActions } from '#kernel/actions.ts'
import { documentBytes, listLimits } from '#kernel/console-kinds.ts'
import { listOf } from '#kernel/console-list.ts'
import { EventTypeUid, FloorStatusUid, PersonUid, SiteUid, WardenRoleUid } from '#kernel/ids.ts'
import { defineCall } from '#kernel/route.ts'
import { EventKind } from '#kernel/vocabulary.schemas.ts'
import { typeSets } from '../type-sets.ts'

const closed = { additionalProperties: false } as const
const policy = { access: 'console', right: 'lists' } as const
const Nullable = Type.Null()
const OrNull = Type.Union([Type.String(), Nullable])
/** Longer than any valid text, so that the server's words name what is wrong. */
const Line = Type.String({ maxLength: 300 })
const Text = Type.String({ maxLength: 3000 })
/** Of the row that was read. */
const Version = Type.String({ maxLength: 40 })
const Changed = Type.Object({ uid: Type.String() })
const refusals = ['forbidden', 'not_found', 'changed_since', 'busy', 'taken'] as const
/** Every row has it: in use, or kept for the past only. */
const Active = { in_use: Type.Boolean() }

const Status = { name: Line, colour: Line, ...Active }
export type FloorStatusRow = Static<typeof FloorStatusRow>
export const FloorStatusRow = Type.Object({
  uid: FloorStatusUid,
  version: Type.String(),
  ...Status,
  /** A floor with it is clear: clear times count from it. */
  means_clear: Type.Boolean(),
  /** The action in which floors offer it. Absent: where people leave. */
  action: Type.Optional(Type.Enum([...statusActions])),
})
/** Without the mark a new status takes that of its name, and a changed one keeps its own. */
const StatusInput = { ...Status, means_clear: Type.Optional(Type.Boolean()) }

export const listFloorStatuses = defineCall({
  summary: 'Floor statuses in order; an event begins at the first that is in use',
  method: 'GET',
  path: '/api/console/lists/floor-statuses',
  reply: listOf(FloorStatusRow),
  policy,
})
export const addFloorStatus = defineCall({
  summary: 'Add a floor status of events in which people leave behind the others, up to 20',
  method: 'POST',
  path: '/api/console/lists/floor-statuses',
  body: Type.Object(StatusInput, closed),
  reply: Changed,
  policy,
  refusals,
})
export const changeFloorStatus = defineCall({
  summary: 'Change a floor status; no two of an action share a name, and one of each is always in use',
  method: 'POST',
  path: '/api/console/lists/floor-statuses/:uid',
  params: Type.Object({ uid: FloorStatusUid }),
  body: Type.Object({ version: Version, ...StatusInput }, closed),
  reply: Changed,
  policy,
  refusals,
})
export const orderFloorStatuses = defineCall({
  summary: 'Put all floor statuses into this order',
  method: 'POST',
  path: '/api/console/lists/floor-statuses/order',
  body: Type.Object({ uids: Type.Array(FloorStatusUid, { maxItems: 2 * listLimits.floorStatuses }) }, closed),
  reply: Type.Object({ status: Type.Literal('ordered') }),
  policy,
  refusals,
})

const EventType = { type: Line, description: Text, message: Line, ...Active }
const EventTypeProperties = {
  kind: EventKind,
  action: Type.Enum([...firstActions]),
  /** The place of 'move' and 'shelter'. */
  where: Line,
} satisfies Record<keyof typeof eventTypeProperties, TSchema>
export type EventTypeRow = Static<typeof EventTypeRow>
export const EventTypeRow = Type.Object({
  uid: EventTypeUid,
  version: Type.String(),
  ...EventType,
  ...EventTypeProperties,
})
/** Without a property a new type takes the usual one, as the kind of its name, and a changed one keeps its own. */
const EventTypeInput = { ...EventType, ...Type.Partial(Type.Object(EventTypeProperties)).properties }

export const listEventTypes = defineCall({
  summary: 'Event types by name',
  method: 'GET',
  path: '/api/console/lists/event-types',
  reply: listOf(EventTypeRow),
  policy,
})
export const addEventType = defineCall({
  summary: 'Add an event type, up to 100',
  method: 'POST',
  path: '/api/console/lists/event-types',
  body: Type.Object(EventTypeInput, closed),
  reply: Changed,
  policy,
  refusals,
})
export const changeEventType = defineCall({
  summary: 'Change an event type; that of a running event keeps its name until the end',
  method: 'POST',
  path: '/api/console/lists/event-types/:uid',
  params: Type.Object({ uid: EventTypeUid }),
  body: Type.Object({ version: Version, ...EventTypeInput }, closed),
  reply: Changed,
  policy,
  refusals: [...refusals, 'in_event'],
})

export const addEventTypeSet = defineCall({
  summary: 'Add the event types of a kind of place whose names are not there yet',
  method: 'POST',
  path: '/api/console/lists/event-types/set',
  body: Type.Object({ set: Type.Enum([...typeSets]) }, closed),
  /** How many were missing. */
  reply: Type.Object({ added: Type.Integer() }),
  policy,
  refusals,
})

const Item = { text: Line, ...Active }
export type ChecklistRow = Static<typeof ChecklistRow>
export const ChecklistRow = Type.Object({ uid: Type.String(), version: Type.String(), ...Item })

export const listChecklist = defineCall({
  summary: "The organisation's own items of the checklist, in order. Without one in use twelve fixed ones are asked",
  method: 'GET',
  path: '/api/console/lists/checklist',
  reply: listOf(ChecklistRow),
  policy,
})
export const addChecklistItem = defineCall({
  summary: 'Add an item behind the others, up to 40 in use',
  method: 'POST',
  path: '/api/console/lists/checklist',
  body: Type.Object(Item, closed),
  reply: Changed,
  policy,
  refusals,
})
export const changeChecklistItem = defineCall({
  summary: 'Change an item; answers in records keep the text to which they were given',
  method: 'POST',
  path: '/api/console/lists/checklist/:uid',
  params: Type.Object({ uid: Type.String({ format: 'uuid' }) }),
  body: Type.Object({ version: Version, ...Item }, closed),
  reply: Changed,
  policy,
  refusals,
})
export const orderChecklist = defineCall({
  summary: 'Put all items of the checklist into this order',
  method: 'POST',
  path: '/api/console/lists/checklist/order',
  body: Type.Object(
    { uids: Type.Array(Type.String({ format: 'uuid' }), { maxItems: 2 * listLimits.checklist }) },
    closed,
  ),
  reply: Type.Object({ status: Type.Literal('ordered') }),
  policy,
  refusals,
})

const Template = {
  kind: Type.Enum(['Warden', 'Evacuee']),
  text: Line,
  /** An occupant answers with a code: safe, unknown, danger. */
  coded_answer: Type.Boolean(),
  ...Active,
}
export type TemplateRow = Static<typeof TemplateRow>
export const TemplateRow = Type.Object({ uid: Type.String(), version: Type.String(), ...Template })

export const listTemplateRows = defineCall({
  summary: 'Message templates by kind and text',
  method: 'GET',
  path: '/api/console/lists/templates',
  reply: listOf(TemplateRow),
  policy,
})
export const addTemplate = defineCall({
  summary: 'Add a message template, up to 500',
  method: 'POST',
  path: '/api/console/lists/templates',
  body: Type.Object(Template, closed),
  reply: Changed,
  policy,
  refusals,
})
export const changeTemplate = defineCall({
  summary: 'Change a message template',
  method: 'POST',
  path: '/api/console/lists/templates/:uid',
  params: Type.Object({ uid: Type.String({ format: 'uuid' }) }),
  body: Type.Object({ version: Version, ...Template }, closed),
  reply: Changed,
  policy,
  refusals,
})

const Named = <U extends typeof SiteUid | typeof WardenRoleUid | typeof PersonUid>(Uid: U) =>
  Type.Union([Type.Object({ uid: Uid, name: Type.String() }), Nullable])

export type DocumentRow = Static<typeof DocumentRow>
export const DocumentRow = Type.Object({
  uid: Type.String(),
  version: Type.String(),
  name: Type.String(),
  /** Of a link. Null for a file. */
  url: OrNull,
  /** 'pdf', 'docx' and so on. Null for a link. */
  kind: OrNull,
  bytes: Type.Union([Type.Integer(), Nullable]),
  /** Opens link or file, without a sign-in, for 15 minutes. */
  link: Type.String(),
  site: Named(SiteUid),
  role: Named(WardenRoleUid),
  person: Named(PersonUid),
  ...Active,
})
/** What a document says: a link, or the key of a stored file; a change without both keeps what stands. */
const Document = {
  name: Line,
  url: Text,
  file: Type.String({ maxLength: 200 }),
  site: Type.Union([SiteUid, Nullable]),
  role: Type.Union([WardenRoleUid, Nullable]),
  person: Type.Union([PersonUid, Nullable]),
  ...Active,
}

export const listDocumentRows = defineCall({
  summary: 'Documents within reach by name, and the sites and roles that a scope may name',
  method: 'GET',
  path: '/api/console/lists/documents',
  reply: Type.Object({
    ...listOf(DocumentRow).properties,
    sites: Type.Array(Type.Object({ uid: SiteUid, name: Type.String() })),
    roles: Type.Array(Type.Object({ uid: WardenRoleUid, name: Type.String() })),
  }),
  policy,
})
export const storeDocumentFile = defineCall({
  summary: 'Store the file of a document, of up to 20 MB. Its kind is read from the content',
  method: 'POST',
  path: '/api/console/lists/documents/file',
  /** The key that a document names. */
  reply: Type.Object({ file: Type.String(), kind: Type.String(), bytes: Type.Integer() }),
  policy,
  bytes: documentBytes.each,
  refusals: ['unsupported_media_type', 'body_too_large'],
})
export const addDocument = defineCall({
  summary: 'Add a document, a link or a stored file, for a site, role or person',
  method: 'POST',
  path: '/api/console/lists/documents',
  body: Type.Object(Document, closed),
  reply: Changed,
  policy,
  refusals,
})
export const changeDocument = defineCall({
  summary: 'Change a document; a file that is replaced keeps the scope',
  method: 'POST',
  path: '/api/console/lists/documents/:uid',
  params: Type.Object({ uid: Type.String({ format: 'uuid' }) }),
  body: Type.Object({ version: Version, ...Document }, closed),
  reply: Changed,
  policy,
  refusals,
})
