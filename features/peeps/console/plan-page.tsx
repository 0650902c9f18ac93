import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PersonUid } from '#kernel/ids.ts'
import { ConfirmAct } from '#web/console/confirm-act.tsx'
import { type Field, Fields, type FieldsOf } from '#web/console/form/fields.tsx'
import { FormFrame } from '#web/console/form/form-frame.tsx'
import { useForm } from '#web/console/form/use-form.ts'
import { fullName } from '#web/console/names.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { toastDone } from '#web/console/toast-done.ts'
import { navigate } from '#web/pages/navigate.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import { Notices } from './notices.tsx'
import { end, planQuery, type ReadPlan, save } from './plans.data.ts'
import { Views } from './views.tsx'

/** The plan of one person. Opening it is recorded. */
export function PlanPage({ personUid }: { personUid: PersonUid }) {
  const { data, error, refetch, isFetching } = useQuery(planQuery(personUid))
  const name = data ? fullName(data.person) : 'Plan'
  return (
    <PageFrame title={name} purpose={data?.person.place ?? 'Personal emergency evacuation plan'} isBelow>
      {data ? (
        <>
          <Notice variant="info">Each view is recorded.</Notice>
          <PlanForm key={personUid} read={data} />
          <Notices personUid={personUid} />
          <Views personUid={personUid} />
        </>
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

/** The same day of another month, or its last day. */
function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** A new review day is in twelve months. A consent that is not recorded is asked for. */
const valuesOf = ({ person: { today }, plan }: ReadPlan) => ({
  assistance: plan?.assistance ?? '',
  disability: plan?.disability ?? '',
  other: plan?.other ?? '',
  summary: plan?.summary ?? '',
  agrees: plan?.consent != null,
  consent: (plan?.consent ?? 'person') as string,
  consent_on: plan ? (plan.consent_on ?? '') : today,
  review_on: plan?.review_on ?? monthsAfter(today, 12),
  fire_service: (plan?.fire_service ?? '') as string,
})
type PlanValues = ReturnType<typeof valuesOf>

const longest = 2000
/** Text of several lines, with how much of it there is. */
const textOf = (name: 'assistance' | 'disability' | 'other' | 'summary', label: string): Field<PlanValues> => ({
  label,
  isLong: true,
  maxLength: longest,
  hint: (values) => `${values[name].length} of ${longest}`,
})
const fieldsOf = ({ person: { today } }: ReadPlan): FieldsOf<PlanValues> => ({
  assistance: textOf('assistance', 'Assistance needed'),
  disability: {
    ...textOf('disability', 'Disability or mobility impairment'),
    hint: 'Only if the person wants this.',
  },
  other: textOf('other', 'Other details'),
  summary: textOf('summary', 'Summary for wardens'),
  agrees: { label: 'Consent', tick: 'The person agrees that wardens of their floor read this' },
  consent: {
    label: 'Given',
    options: [
      { value: 'person', label: 'by the person' },
      { value: 'guardian', label: 'by a guardian' },
    ],
  },
  consent_on: { label: 'Day of the consent', type: 'date', max: today },
  fire_service: {
    label: 'Shown to the fire service',
    options: [
      { value: '', label: 'As set for the organisation' },
      { value: 'yes', label: 'Yes' },
      { value: 'no', label: 'No' },
    ],
    hint: 'The assistance needed and the place, without the name. Never the disability.',
  },
  review_on: {
    label: 'Review day',
    type: 'date',
    max: monthsAfter(today, 24),
    hint: 'The day the plan is reviewed, within 24 months.',
  },
})

const leave = () => navigate('/console/plans')

function PlanForm({ read }: { read: ReadPlan }) {
  const queryClient = useQueryClient()
  const { person, plan } = read
  const fields = fieldsOf(read)
  const readNow = () => queryClient.fetchQuery({ ...planQuery(person.uid), staleTime: 0 })
  const [version, setVersion] = useState(plan?.version ?? null)
  const form = useForm<PlanValues>({
    stored: valuesOf(read),
    // a consent that is missing is missing at the tick
    fieldOf: (name) => (name === 'consent' ? 'agrees' : name in fields ? (name as keyof PlanValues) : undefined),
    save: ({ agrees, consent, fire_service, ...values }, options) =>
      save(
        person.uid,
        {
          ...values,
          consent: agrees ? (consent as 'person') : '',
          fire_service: fire_service as 'yes',
          version,
        },
        options,
      ),
    readAgain: async () => {
      const now = await readNow()
      setVersion(now.plan?.version ?? null)
      return { stored: valuesOf(now), at: now.plan?.changed_at ?? new Date().toISOString() }
    },
    onSaved: () => {
      toastDone('Saved.')
      void queryClient.invalidateQueries({ queryKey: ['plans'] })
      leave()
    },
  })
  const draw = (...only: (keyof PlanValues)[]) => <Fields of={fields} form={form} only={only} />
  return (
    <>
      <FormFrame form={form} fields={fields} onCancel={leave}>
        {draw('assistance', 'disability', 'other', 'summary')}
        <fieldset className="grid gap-3 border-t border-hairline pt-4">
          <legend className="console-legend text-lg font-bold">Consent</legend>
          {draw('agrees', 'consent', 'consent_on')}
        </fieldset>
        {draw('fire_service', 'review_on')}
      </FormFrame>
      {version !== null && <EndPlan read={read} version={version} />}
    </>
  )
}

function EndPlan({ read: { person }, version }: { read: ReadPlan; version: string }) {
  const queryClient = useQueryClient()
  const [asks, setAsks] = useState(false)
  return (
    <section className="console-form border-t border-hairline pt-4">
      <Button variant="outline" onClick={() => setAsks(true)}>
        End the plan
      </Button>
      <ConfirmAct
        open={asks}
        title={`End the plan of ${fullName(person)}?`}
        confirm="End the plan"
        act={async () => {
          await end(person.uid, version)
          await queryClient.invalidateQueries({ queryKey: ['plans'] })
          leave()
        }}
        done="Saved."
        again={[]}
        onClose={() => setAsks(false)}
      >
        <p>Wardens can no longer see it, even during an event.</p>
      </ConfirmAct>
    </section>
  )
}
