import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Fields, type FieldsOf } from '#web/console/form/fields.tsx'
import { FormFrame } from '#web/console/form/form-frame.tsx'
import { useForm } from '#web/console/form/use-form.ts'
import { WhenListed } from '#web/console/list/when-listed.tsx'
import { PageFrame } from '#web/console/page-frame.tsx'
import { toastDone } from '#web/console/toast-done.ts'
import type { Reaching } from '../calls/reaching.ts'
import { mostTries, reachClasses } from '../kinds.ts'
import { classWords } from '../words.ts'
import { ClassSteps } from './class-steps.tsx'
import { inputOf, type ReachingValues, reachingQuery, save, valuesOf } from './reaching.data.ts'

/** How wardens and people are reached until they answer. */
export function ReachingPage() {
  const read = useQuery(reachingQuery)
  return (
    <PageFrame
      title="Reaching people"
      purpose="How wardens and people are reached until they answer. A change counts at once, also in a running event."
    >
      <WhenListed read={read}>{(reaching) => <ReachingForm reaching={reaching} />}</WhenListed>
    </PageFrame>
  )
}

const numbers = Array.from({ length: mostTries.most }, (_, nth) => String(nth + mostTries.least))
const limits = [{ value: '', label: 'No limit' }, ...numbers.map((value) => ({ value, label: value }))]
const fields: FieldsOf<ReachingValues> = {
  report_in: { label: classWords.report_in },
  instruction: { label: classWords.instruction },
  command: { label: classWords.command },
  offer: { label: classWords.offer },
  message: { label: classWords.message },
  ask: { label: classWords.ask },
  texts: {
    label: 'Most texts to one person',
    options: limits,
    hint: 'About one event, instruction, message or question.',
  },
  calls: { label: 'Most calls to one person', options: limits },
}

function limitsInWords(texts: string, calls: string): string {
  if (texts && calls) return `At most ${texts} texts and ${calls} calls a person`
  if (texts) return `At most ${texts} texts a person`
  if (calls) return `At most ${calls} calls a person`
  return 'No limit on texts and calls to one person'
}

function ReachingForm({ reaching }: { reaching: Reaching }) {
  const client = useQueryClient()
  const version = useRef(reaching.version)
  const [shown, setShown] = useState(0)
  const form = useForm<ReachingValues>({
    stored: valuesOf(reaching),
    save: async (values, options) => {
      const saved = await save(inputOf(values, version.current), options)
      version.current = saved.version
      client.setQueryData(reachingQuery.queryKey, saved)
    },
    readAgain: async () => {
      const read = await client.fetchQuery({ ...reachingQuery, staleTime: 0 })
      version.current = read.version
      return { stored: valuesOf(read), at: new Date().toISOString() }
    },
    onSaved: () => toastDone('Saved.'),
  })
  const { texts, calls } = form.values
  return (
    <FormFrame
      key={shown}
      form={form}
      fields={fields}
      onCancel={() => {
        form.set(valuesOf(reaching))
        setShown(shown + 1)
      }}
    >
      {reachClasses.map((one) => (
        <ClassSteps
          key={one}
          reachClass={one}
          value={form.values[one]}
          error={form.errors[one]}
          onChange={(value) => form.set({ [one]: value })}
        />
      ))}
      <fieldset className="grid gap-4 border-t border-hairline pt-4">
        <legend className="console-legend text-lg font-bold">{limitsInWords(texts, calls)}</legend>
        <Fields of={fields} form={form} only={['texts', 'calls']} />
      </fieldset>
    </FormFrame>
  )
}
