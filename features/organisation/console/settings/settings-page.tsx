import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { Fields } from '#web/console/form/fields.tsx'
import { FormFrame } from '#web/console/form/form-frame.tsx'
import { useForm } from '#web/console/form/use-form.ts'
import { meQuery, nowQuery } from '#web/console/me.data.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { toastDone } from '#web/console/toast-done.ts'
import { formatDate } from '#web/lib/time/dates.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Notice } from '#web/ui/notice.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import type { Deletion } from '../../calls/settings.ts'
import { type Settings, save, settingsQuery } from './settings.data.ts'
import { counted, fieldsOf, groups } from './settings-fields.ts'
import { inputOf, type SettingsValues, valuesOf } from './settings-values.ts'

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
  const fields = fieldsOf(settings, site && `An event is running at ${site}. This can be changed when it has ended.`)
  return (
    <>
      <FormFrame
        key={shown}
        form={form}
        fields={fields}
        onCancel={() => {
          form.set(valuesOf(settings))
          setShown(shown + 1)
        }}
      >
        {groups.map(({ title, names }) => {
          const drawn = <Fields key={title ?? ''} of={fields} form={form} only={names} />
          if (!title) return drawn
          return (
            <fieldset key={title} className="grid gap-4 border-t border-hairline pt-4">
              <legend className="console-legend text-lg font-bold">{title}</legend>
              {drawn}
            </fieldset>
          )
        })}
      </FormFrame>
      <DeletionQuestion question={question} />
    </>
  )
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
