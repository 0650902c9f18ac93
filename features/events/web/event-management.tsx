import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Siren } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { browser } from '#web/lib/browser.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { useConnectionHealth } from '#web/live/connection-health.ts'
import { Redirect } from '#web/pages/navigate.ts'
import { AsOf } from '#web/ui/as-of.tsx'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { AlertModal } from '#web/ui/popups/alert-modal.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { EventSites } from '../calls/events.ts'
import { ConfirmChange } from './confirm-change.tsx'
import { EventDetails } from './event-details.tsx'
import { type AskedChange, changeOf, type EventForm, useEventForm } from './event-form.ts'
import { eventSitesQuery, noteActiveEvent, type Outcome, sendEventChange } from './events.data.ts'
import { type AskedLive, askLive, MakeLiveDialog } from './made-live.tsx'
import { RunningEvent } from './running-event.tsx'
import { buttonLabels, noticeOf } from './selected-buildings.ts'
import { SiteChecklist } from './site-checklist.tsx'

interface EventManagementProps {
  /** What became of the texts of the running event. */
  texts?: ReactNode
  /** Shown while no event runs. */
  beforeStart?: ReactNode
  /** Below everything else. */
  foot?: ReactNode
}

/** Starts, extends, shrinks and concludes the emergency event of a site. */
export function EventManagement({ texts, beforeStart, foot }: EventManagementProps) {
  const sites = useQuery(eventSitesQuery)
  // Without a word.
  if (sites.isError && !sites.data) return <Redirect to="/reportin" />
  return (
    <Page className="relative pb-0!">
      {sites.data ? (
        <EventEditor data={sites.data} asOf={sites.dataUpdatedAt} {...{ texts, beforeStart, foot }} />
      ) : (
        <Skeleton parts={['line', 'choices', 'choices']} beside={['field', 'text', 'field', 'field', 'field']} />
      )}
    </Page>
  )
}

interface EventEditorProps extends EventManagementProps {
  data: EventSites['data']
  asOf: number
}

function EventEditor({ data, asOf, texts, beforeStart, foot }: EventEditorProps) {
  const form = useEventForm(data)
  const stale = useConnectionHealth().trouble !== null
  const [asked, setAsked] = useState<AskedChange | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [askedLive, setAskedLive] = useState<AskedLive | null>(null)
  const close = useCloseOutcome(outcome, () => {
    setOutcome(null)
    form.clear()
  })
  const send = useMutation({
    mutationFn: sendEventChange,
    onSuccess: (done) => {
      setAsked(null)
      if (done.drill) setAskedLive(askLive(done.drill.event, done.drill.message, done.alert.text))
      else setOutcome(done)
    },
    onError: (error) => toast(sentenceFor(error), { variant: 'danger' }),
  })

  const runs = data.activeEvent !== null
  useEffect(() => noteActiveEvent(data.activeEvent), [data.activeEvent])
  // With an event running and nothing chosen, what became of it stands before the form of a change.
  const isIdle = runs && form.selection.length === 0

  return (
    <>
      {!runs && beforeStart}
      <RunningEvent data={data} onChooseAll={isIdle ? form.select : undefined} />
      <AsOf at={asOf} stale={stale} />
      <Notice>{noticeOf(form.site, form.selection)}</Notice>
      <div className="grid grid-cols-1 items-start gap-5 wide:grid-cols-2">
        <SiteChecklist sites={data.sites} selection={form.selection} onChange={form.select} />
        {isIdle && texts}
        <EventDetails key="details" form={form} eventTypes={data.eventTypes} />
      </div>
      {!isIdle && texts}
      {foot}
      <PrimaryButton form={form} isQuiet={isIdle} onPress={() => setAsked(changeOf(form, data))} />
      <ConfirmChange
        asked={asked}
        smsAllowed={data.sms_allowed}
        busy={send.isPending}
        onConfirm={send.mutate}
        onChange={setAsked}
        onCancel={() => setAsked(null)}
      />
      <MakeLiveDialog asked={askedLive} onChange={setAskedLive} />
      <AlertModal alert={outcome?.alert ?? null} onClose={close} />
    </>
  )
}

interface PrimaryButtonProps {
  form: EventForm
  /** There is nothing to do with it: it stays at the foot of the page, without its colour. */
  isQuiet: boolean
  onPress: () => void
}

/** In the thumb's reach, however long the list of buildings is. */
function PrimaryButton({ form, isQuiet, onPress }: PrimaryButtonProps) {
  const takesAway = form.mode === 'end' || form.mode === 'remove'
  return (
    <div
      className={`-mx-3 border-t border-hairline bg-canvas px-3 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] ${isQuiet ? '' : 'sticky bottom-0 z-10'}`}
    >
      <Button
        variant={isQuiet ? 'quiet' : takesAway ? 'red' : 'blue'}
        icon={Siren}
        block
        className="min-h-16 text-lg wide:mx-auto wide:flex wide:max-w-[460px]"
        disabled={!form.isComplete}
        onClick={onPress}
      >
        {buttonLabels[form.mode]}
      </Button>
    </div>
  )
}

/** After a start the program begins anew with the new identity; after an end at the report-in list. */
function useCloseOutcome(outcome: Outcome | null, onRead: () => void) {
  const queryClient = useQueryClient()
  return () => {
    if (outcome?.next === 'load screen') browser.load('/event/management')
    else if (outcome?.next === 'load list') browser.load('/reportinlist')
    else {
      onRead()
      void queryClient.invalidateQueries({ queryKey: eventSitesQuery.queryKey })
    }
  }
}
