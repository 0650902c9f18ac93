import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { FormFrame } from '#web/console/form/form-frame.tsx'
import { useForm } from '#web/console/form/use-form.ts'
import { meQuery, nowQuery } from '#web/console/me.data.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { toastDone } from '#web/console/toast-done.ts'
import { formatDate } from '#web/lib/time/dates.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import type { Deletion } from '../../calls/settings.ts'
import { type Settings, save, settingsQuery } from './settings.data.ts'
import { inputOf, plainLabels, type SettingsValues, valuesOf } from './settings-values.ts'

const labels: Record<keyof SettingsValues, string> = {
  name: 'Name',
  timezone: 'Time zone',
  country: 'Country',
  contact_email: 'Contact email',
  sms_allowed: 'Send texts',
  sms_links: 'Segments a day for links',
  sms_alerts: 'Segments a day for alerts',
  messages: 'Messages and texts',
  events: 'Events',
  audit: 'Audit log',
  plans: 'Ended plans',
  ...plainLabels,
}

const countries = [
  { value: 'AU', label: 'Australia' },
  { value: 'NZ', label: 'New Zealand' },
  { value: 'US', label: 'United States' },
  { value: 'UK', label: 'United Kingdom' },
]

const shares = [
  { value: 'unless no', label: 'For everyone, unless their plan says no' },
  { value: 'only yes', label: 'Only for people whose plan says yes' },
]

/** What holds for the whole organisation. */
export function SettingsPage() {
  const { data, error, refetch, isFetching } = useQuery(settingsQuery)
  return (
    <PageFrame title="Settings" purpose="Settings for the whole organisation, and how long its data is kept.">
      {data ? (
        <SettingsForm settings={data} />
      ) : error ? (
        <>
          <Notice variant="danger">{consoleSentence(error)}</Notice>
          <TryAgain onPress={() => void refetch()} busy={isFetching} />
        </>
      ) : (
        <Skeleton parts={['line', 'line', 'line', 'line']} />
      )}
    </PageFrame>
  )
}

interface Question {
  deletes: Deletion[]
  answer: (mayDelete: boolean) => void
}

function SettingsForm({ settings }: { settings: Settings }) {
  const queryClient = useQueryClient()
  const { data: now } = useQuery(nowQuery)
  const version = useRef(settings.version)
  const [question, setQuestion] = useState<Question | null>(null)
  const ask = (deletes: Deletion[]) => new Promise<boolean>((answer) => setQuestion({ deletes, answer }))
  const [shown, setShown] = useState(0)
  const form = useForm<SettingsValues>({
    stored: valuesOf(settings),
    save: async (values, options) => {
      const reply = await save(inputOf(values, version.current, false), options)
      if (!('deletes' in reply)) return keep(reply.saved)
      const mayDelete = await ask(reply.deletes).finally(() => setQuestion(null))
      if (!mayDelete) throw new ApiError('invalid_request', 'Nothing was saved.')
      const saved = await save(inputOf(values, version.current, true), {})
      if ('saved' in saved) keep(saved.saved)
    },
    readAgain: async () => {
      const read = await queryClient.fetchQuery({ ...settingsQuery, staleTime: 0 })
      version.current = read.version
      return { stored: valuesOf(read), at: new Date(Number(read.version) * 1000).toISOString() }
    },
    onSaved: () => {
      toastDone('Saved.')
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
    },
  })
  const keep = (saved: Settings) => {
    version.current = saved.version
    queryClient.setQueryData(settingsQuery.queryKey, saved)
  }
  const site = now?.events[0]?.site
  const waits = site && `An event is running at ${site}. This can be changed when it has ended.`
  const { field, values, set } = form
  return (
    <>
      <FormFrame
        key={shown}
        form={form}
        labels={labels}
        shown={(name, value) => (typeof value === 'boolean' ? (value ? 'On' : 'Off') : String(value))}
        onCancel={() => {
          set(valuesOf(settings))
          setShown(shown + 1)
        }}
      >
        <TextField label={labels.name} autoComplete="organization" {...field('name')} />
        <SelectField
          label={labels.timezone}
          options={zonesWith(values.timezone)}
          value={values.timezone}
          disabled={site !== undefined}
          hint={waits ?? form.errors.timezone}
          onChange={(timezone) => set({ timezone })}
        />
        <SelectField
          label={labels.country}
          options={countries}
          value={values.country}
          hint="Used for mobile numbers without a country code."
          onChange={(country) => set({ country })}
        />
        <TextField
          label={labels.contact_email}
          type="email"
          hint="Where people in the organisation can ask for help."
          {...field('contact_email')}
        />
        <SelectField
          label={labels.share_plans}
          options={shares}
          value={values.share_plans}
          hint="On the arrival pack: place and assistance, without name and disability."
          onChange={(share_plans) => set({ share_plans })}
        />
        <Group title="Texts">
          <Checkbox
            label={labels.sms_allowed}
            checked={values.sms_allowed}
            disabled={site !== undefined && settings.sms_allowed}
            onChange={(sms_allowed) => set({ sms_allowed })}
          />
          {waits && settings.sms_allowed && <p className="text-sm text-muted">{waits}</p>}
          <NumberField label={labels.sms_links} most={settings.server.sms_links} {...field('sms_links')} />
          <NumberField label={labels.sms_alerts} most={settings.server.sms_alerts} {...field('sms_alerts')} />
        </Group>
        <Group title="Events">
          <TextField
            label={labels.command_minutes}
            inputMode="numeric"
            hint="After this long without contact, the person in command is asked by text (2 to 60)."
            {...field('command_minutes')}
          />
          <TextField
            label={labels.coverage_minutes}
            inputMode="numeric"
            hint="After this, event managers are told about the floor. 1 to 30."
            {...field('coverage_minutes')}
          />
          <Checkbox
            label="Email event managers at 15:00 about floors without a warden tomorrow"
            checked={values.coverage_mail}
            onChange={(coverage_mail) => set({ coverage_mail })}
          />
        </Group>
        <Group title="Days until data is deleted">
          {(['messages', 'events', 'audit', 'plans'] as const).map((kind) => (
            <TextField
              key={kind}
              label={labels[kind]}
              inputMode="numeric"
              hint={daysHint(settings.server.days[kind], kind)}
              {...field(kind)}
            />
          ))}
        </Group>
      </FormFrame>
      <DeletionQuestion question={question} />
    </>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-4 border-t border-hairline pt-4">
      <legend className="console-legend text-lg font-bold">{title}</legend>
      {children}
    </fieldset>
  )
}

interface NumberFieldProps {
  label: string
  most: number
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function NumberField({ most, ...field }: NumberFieldProps) {
  return <TextField inputMode="numeric" hint={`If empty: ${counted(most)}, as many as the server allows.`} {...field} />
}

const counted = (number: number) => new Intl.NumberFormat('en-AU').format(number)

function daysHint(ofServer: number | null, kind: 'messages' | 'events' | 'audit' | 'plans'): string {
  const server =
    ofServer === null ? 'never, as set on the server' : `after ${counted(ofServer)} days, as set on the server`
  const shorter = ofServer !== null && (kind === 'messages' || kind === 'plans') ? ' The shorter period applies.' : ''
  return `If empty: ${server}.${shorter}`
}

function zonesWith(zone: string) {
  return [...new Set([zone, ...Intl.supportedValuesOf('timeZone')])]
    .sort()
    .map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}

const kindWords = { messages: 'messages', events: 'events', audit: 'entries of the audit log', plans: 'ended plans' }

/** What shorter days delete. */
function DeletionQuestion({ question }: { question: Question | null }) {
  if (!question) return null
  const { deletes, answer } = question
  return (
    <ConfirmDialog
      open
      title="Keep data for fewer days?"
      confirm="Delete and save"
      onConfirm={() => answer(true)}
      onCancel={() => answer(false)}
    >
      {deletes.map(({ kind, count, before }) => (
        <p key={kind} className="mb-2">
          This deletes {counted(count)} {kindWords[kind]} older than {formatDate(before)} tonight. It cannot be undone.
        </p>
      ))}
    </ConfirmDialog>
  )
}
