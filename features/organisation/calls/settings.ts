import { type Static, Type } from 'typebox'
import { commandMinutes } from '#features/command/kinds.ts'
import { coverageMinutes } from '#features/coverage/kinds.ts'
import { leastDays, retentionKinds, sharePlans } from '#kernel/console-kinds.ts'
import { defineCall } from '#kernel/route.ts'

const closed = { additionalProperties: false } as const
const Nullable = Type.Null()
/** Longer than any valid value, so that the server's words name what is wrong. */
const Line = Type.String({ maxLength: 300 })
/** Segments or calls a day. Null: as many as the server allows. */
const ADay = Type.Union([Type.Integer({ minimum: 0, maximum: 100_000_000 }), Nullable])
const DaysFrom = (minimum: number) => Type.Union([Type.Integer({ minimum, maximum: 36_500 }), Nullable])
/** Days until each kind is deleted. Null: the installation's. */
const Days = Type.Object(
  {
    messages: DaysFrom(leastDays.messages),
    events: DaysFrom(leastDays.events),
    audit: DaysFrom(leastDays.audit),
    plans: DaysFrom(leastDays.plans),
  },
  closed,
)

const SharePlans = Type.Enum([...sharePlans])

const Values = {
  name: Line,
  timezone: Line,
  country: Line,
  /** Empty for none. */
  contact_email: Line,
  sms_allowed: Type.Boolean(),
  sms_links: ADay,
  sms_alerts: ADay,
  days: Days,
}

/** Minutes without contact after which the person in command is silent. */
const CommandMinutes = Type.Integer({ minimum: commandMinutes.least, maximum: commandMinutes.most })

export type Settings = Static<typeof Settings>
export const Settings = Type.Object({
  version: Type.String(),
  ...Values,
  calls: ADay,
  command_minutes: CommandMinutes,
  coverage_minutes: Type.Integer(),
  /** The mail in the afternoon about floors without a warden tomorrow. */
  coverage_mail: Type.Boolean(),
  /** Where log heads are mailed: each address on its own line. Empty for none. */
  log_head_addresses: Type.String(),
  share_plans: SharePlans,
  /** What holds where the organisation says nothing. Days are null where nothing is deleted. */
  server: Type.Object({ sms_links: Type.Integer(), sms_alerts: Type.Integer(), calls: Type.Integer(), days: Days }),
})

/** What shorter days delete in the night: so many, of before this day in the organisation's zone. */
export type Deletion = Static<typeof Deletion>
const Deletion = Type.Object({ kind: Type.Enum([...retentionKinds]), count: Type.Integer(), before: Type.String() })

const refusals = ['confirm_identity'] as const

export const getSettings = defineCall({
  summary: 'Settings of the organisation, and what the installation allows',
  method: 'GET',
  path: '/api/console/settings',
  reply: Settings,
  policy: { access: 'console', right: 'organisation' },
})

export const saveSettings = defineCall({
  summary: 'Save the settings; shorter days ask first what may be deleted',
  method: 'POST',
  path: '/api/console/settings',
  body: Type.Object(
    {
      /** Of the settings that were read. */
      version: Type.String({ maxLength: 40 }),
      ...Values,
      /** Additive, as those that follow. Without it what stands is kept. */
      calls: Type.Optional(ADay),
      command_minutes: Type.Optional(CommandMinutes),
      /** After so many minutes event managers are told of a floor without a warden. Without it, it stays. */
      coverage_minutes: Type.Optional(Type.Integer({ minimum: coverageMinutes.least, maximum: coverageMinutes.most })),
      coverage_mail: Type.Optional(Type.Boolean()),
      /** Up to three, parted by spaces, commas or lines. Left out: as they were. */
      log_head_addresses: Type.Optional(Type.String({ maxLength: 800 })),
      /** Left out: as it was. */
      share_plans: Type.Optional(SharePlans),
      /** True after the question what shorter days delete. */
      may_delete: Type.Boolean(),
    },
    closed,
  ),
  /** With `deletes` nothing was saved. */
  reply: Type.Union([Type.Object({ saved: Settings }), Type.Object({ deletes: Type.Array(Deletion) })]),
  policy: { access: 'console', right: 'organisation', confirmed: true },
  refusals: [...refusals, 'in_event', 'changed_since'],
})
