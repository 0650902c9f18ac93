import { headersOf, rowOf, valuesOf } from '#features/directory/column-kinds.ts'
import { columns, plainSettings } from '#features/directory/columns.ts'
import { readOrganisationFields } from '#features/directory/server/form-fields.service.ts'
import { countOlder } from '#features/operation/server/retention/retention.queries.ts'
import { type RetentionKind, retentionKinds } from '#kernel/console-kinds.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { CallAnswer, CallInput } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import type { Services } from '#server/http/services.ts'
import type { RetentionDays } from '#server/platform/config/config.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import type { JsonObject } from '#server/platform/db/tables.ts'
import { fieldRefusal, Refusal } from '#server/platform/errors.ts'
import type { Deletion, getSettings, Settings, saveSettings } from '../../calls/settings.ts'
import {
  findSiteInEvent,
  getSettingsRow,
  type SettingsRow,
  type StoredSettings,
  updateSettings,
} from './settings.queries.ts'

type Setting = Pick<Services, 'config' | 'system' | 'clock'>
type Wanted = CallInput<typeof saveSettings>['body']

/** Whether the organisation has texts on. */
export const sendsTexts = async (tx: Tx, clientUid: ClientUid): Promise<boolean> =>
  (await getSettingsRow(tx, clientUid)).smsAllowed

/** The settings, and what holds where the organisation says nothing. */
export async function presentSettings(
  { config }: Setting,
  tx: Tx,
  { clientUid }: Administrator,
): Promise<CallAnswer<typeof getSettings>> {
  return present(config, await getSettingsRow(tx, clientUid))
}

function present({ smsBudgets, retention }: Setting['config'], row: SettingsRow): Settings {
  return {
    version: row.version,
    name: row.name,
    timezone: row.timezone,
    country: row.country,
    contact_email: row.contactEmail ?? '',
    sms_allowed: row.smsAllowed,
    sms_links: row.smsDailyLinks,
    sms_alerts: row.smsDailyAlerts,
    calls: row.dailyCalls,
    days: {
      messages: row.retainMessagesDays,
      events: row.retainEventsDays,
      audit: row.retainAuditDays,
      plans: row.retainPeepsDays,
    },
    ...valuesOf(plainSettings, row),
    server: {
      sms_links: smsBudgets.links,
      sms_alerts: smsBudgets.alerts,
      calls: smsBudgets.calls,
      days: {
        messages: retention.messages ?? null,
        events: retention.events ?? null,
        audit: retention.audit ?? null,
        plans: retention.peeps ?? null,
      },
    },
  }
}

/**
 * Saves the settings that were read. Days that delete sooner than before are asked for first:
 * without `may_delete` the answer says what they delete, and nothing is saved.
 */
export async function save(
  app: Setting,
  tx: Tx,
  administrator: Administrator,
  wanted: Wanted,
): Promise<CallAnswer<typeof saveSettings>> {
  const { clientUid } = administrator
  const before = await getSettingsRow(tx, clientUid, { forChange: true })
  if (before.version !== wanted.version) throw changedSince(before)
  const values = readSettings(app.config, before, wanted)
  await refuseInEvent(tx, clientUid, before, values)
  const shorter = shortened(app.config.retention, before, values)
  if (shorter.length > 0 && !wanted.may_delete)
    return { deletes: await deletionsOf(app, clientUid, before.timezone, shorter) }
  await updateSettings(tx, clientUid, values)
  await record(tx, journalAdministrator(administrator), {
    action: 'settings_changed',
    subjectType: 'organisation',
    subjectUid: clientUid,
    ...changesOf(before, values),
  })
  return { saved: present(app.config, await getSettingsRow(tx, clientUid)) }
}

/** 'Someone else changed this at 10:42 AEDT.' */
function changedSince({ updatedAt, timezone }: SettingsRow): Refusal {
  const at = new Intl.DateTimeFormat('en-AU', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(updatedAt)
  return new Refusal('changed_since', `Someone else changed this at ${at}.`)
}

function readSettings({ smsBudgets }: Setting['config'], before: SettingsRow, wanted: Wanted): StoredSettings {
  const { code } = before
  const { name, timezone, country, contactEmail, logHeadAddresses } = readOrganisationFields({
    ...wordsOf(wanted),
    log_head_addresses: wanted.log_head_addresses ?? before.logHeadAddresses,
    code,
  })
  const { days } = wanted
  return {
    name,
    timezone,
    country,
    contactEmail,
    smsAllowed: wanted.sms_allowed,
    smsDailyLinks: withinServer('sms_links', wanted.sms_links, smsBudgets.links),
    smsDailyAlerts: withinServer('sms_alerts', wanted.sms_alerts, smsBudgets.alerts),
    dailyCalls: wanted.calls === undefined ? before.dailyCalls : withinServer('calls', wanted.calls, smsBudgets.calls),
    retainMessagesDays: days.messages,
    retainEventsDays: days.events,
    retainAuditDays: days.audit,
    retainPeepsDays: days.plans,
    // a former version of the app leaves out what it does not know
    ...rowOf(plainSettings, { ...valuesOf(plainSettings, before), ...wanted }),
    logHeadAddresses,
  }
}

const wordsOf = ({ name, timezone, country, contact_email }: Wanted) => ({ name, timezone, country, contact_email })

function withinServer(field: 'sms_links' | 'sms_alerts' | 'calls', wanted: number | null, most: number): number | null {
  if (wanted === null || wanted <= most) return wanted
  const unit = field === 'calls' ? 'calls' : 'segments'
  throw fieldRefusal('invalid_request', `The server allows ${most} ${unit} a day.`, field)
}

/** Neither the time zone nor the texts of a running event change under it. */
async function refuseInEvent(tx: Tx, clientUid: ClientUid, before: SettingsRow, after: StoredSettings) {
  const fields = [
    ...(after.timezone !== before.timezone ? ['timezone'] : []),
    ...(before.smsAllowed && !after.smsAllowed ? ['sms_allowed'] : []),
  ]
  const site = fields.length > 0 ? await findSiteInEvent(tx, clientUid) : undefined
  if (site)
    throw new Refusal('in_event', `An event is running at ${site}. This can be changed when it has ended.`, fields)
}

interface Shorter {
  kind: RetentionKind
  days: number
}

const columnOf = {
  messages: 'retainMessagesDays',
  events: 'retainEventsDays',
  audit: 'retainAuditDays',
  plans: 'retainPeepsDays',
} as const satisfies Record<RetentionKind, keyof StoredSettings>
const nightlyKind = { messages: 'messages', events: 'events', audit: 'audit', plans: 'peeps' } as const

/** Kinds of which something is deleted sooner than before. */
function shortened(installation: RetentionDays, before: StoredSettings, after: StoredSettings): Shorter[] {
  return retentionKinds.flatMap((kind) => {
    const days = effective(kind, after[columnOf[kind]], installation)
    return days < effective(kind, before[columnOf[kind]], installation) ? [{ kind, days }] : []
  })
}

/** The days that hold: of messages and plans the shorter, else the organisation's own before the installation's. */
function effective(kind: RetentionKind, own: number | null, installation: RetentionDays): number {
  const ofServer = installation[nightlyKind[kind]] ?? Number.POSITIVE_INFINITY
  if (own === null) return ofServer
  return kind === 'messages' || kind === 'plans' ? Math.min(own, ofServer) : own
}

async function deletionsOf(
  { system, clock }: { system: Db } & Pick<Setting, 'clock'>,
  clientUid: ClientUid,
  timeZone: string,
  shorter: readonly Shorter[],
): Promise<Deletion[]> {
  const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone })
  return Promise.all(
    shorter.map(async ({ kind, days }) => ({
      kind,
      count: await countOlder(system, clientUid, nightlyKind[kind], days),
      before: dayOf.format(new Date(clock.now().getTime() - days * 86_400_000)),
    })),
  )
}

const personal: readonly (keyof StoredSettings)[] = ['name', 'contactEmail', 'logHeadAddresses']

/** Names and addresses are told by field alone. */
function changesOf(before: StoredSettings, after: StoredSettings): { before: JsonObject; after: JsonObject } {
  const changed = (Object.keys(after) as (keyof StoredSettings)[]).filter((field) => after[field] !== before[field])
  const shown = changed.filter((field) => !personal.includes(field))
  const shownOf = (of: StoredSettings) => Object.fromEntries(shown.map((field) => [fieldOf(field), of[field]]))
  return {
    before: shownOf(before),
    after: { ...shownOf(after), fields: changed.map(fieldOf) },
  }
}

const headers = headersOf(columns.organisation)
const fieldOf = (setting: keyof StoredSettings) => otherNames[setting] ?? headers.get(setting) ?? setting
const otherNames: Partial<Record<keyof StoredSettings, string>> = {
  smsDailyLinks: 'sms_links',
  smsDailyAlerts: 'sms_alerts',
  dailyCalls: 'calls',
  retainMessagesDays: 'days_of_messages',
  retainEventsDays: 'days_of_events',
  retainAuditDays: 'days_of_audit',
  retainPeepsDays: 'days_of_plans',
}
