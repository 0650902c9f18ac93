import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import type { CallReply } from '#kernel/route.ts'
import { QrCode } from '#web/console/qr-code.tsx'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { usePageParameters } from '#web/pages/use-page-parameters.ts'
import { call } from '#web/session/api.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyLink } from '#web/ui/fields/copy-link.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Page } from '#web/ui/page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import type { makeObserverLink, Observer } from '../calls/observing.ts'
import { observerLinkDays } from '../kinds.ts'
import './parts/styles.ts'
import { formatDateIn } from '#web/console/zone-time.ts'

type Made = CallReply<typeof makeObserverLink>

const observersQuery = (event: EventUid) =>
  queryOptions({
    queryKey: ['event', 'observers', event],
    queryFn: ({ signal }) =>
      call('GET /api/event/records/:eventUid/observers', { params: { eventUid: event } }, { signal }),
    refetchInterval: 30_000,
    meta: { anyEvent: true },
  })

/** Links for people without an account, who note what they see. */
export function ObserversScreen() {
  const event = usePageParameters().eventUid as EventUid
  const read = useQuery(observersQuery(event))
  const [made, setMade] = useState<Made | null>(null)
  return (
    <Page className="rec-page rec-form">
      <p>
        An observer opens the link on their own phone, without signing in. It shows site, kind, places and their own
        notes, and ends {observerLinkDays} days after the event.
      </p>
      <MakeLink event={event} onMade={setMade} />
      {made && <NewLink made={made} />}
      <WhenRead read={read} parts={['card', 'card']}>
        {({ observers }) => <Observers event={event} observers={observers} onEnded={() => setMade(null)} />}
      </WhenRead>
    </Page>
  )
}

/** Pressed again after a lost answer it makes no second link. */
function MakeLink({ event, onMade }: { event: EventUid; onMade: (made: Made) => void }) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const send = useKeyedSend(JSON.stringify, (body: { name: string }, extras) =>
    call('POST /api/event/records/:eventUid/observers', { params: { eventUid: event }, body }, extras),
  )
  const make = async (submitted: FormEvent) => {
    submitted.preventDefault()
    if (!name.trim() || send.isPending) return
    try {
      onMade(await send.mutateAsync({ name: name.trim() }))
      setName('')
      void client.invalidateQueries({ queryKey: observersQuery(event).queryKey })
    } catch (error) {
      toast(sentenceFor(error), { variant: 'danger' })
    }
  }
  return (
    <form noValidate className="card grid grid-cols-1 gap-4" onSubmit={(submitted) => void make(submitted)}>
      <TextField label="Name of the observer" value={name} maxLength={60} onChange={setName} />
      <Button type="submit" icon={UserPlus} busy={send.isPending} block>
        Make a link
      </Button>
    </form>
  )
}

function NewLink({ made: { observer, link } }: { made: Made }) {
  return (
    <section aria-label="New link" className="card grid grid-cols-1 gap-3">
      <h2 className="text-lg font-bold">Link for {observer.name}</h2>
      <p>This is shown only once. Copy it now. Anyone who has it can add notes under this name.</p>
      <div className="rec-qr">
        <QrCode text={link} label={`QR code of the link for ${observer.name}`} />
      </div>
      <CopyLink link={link} />
    </section>
  )
}

interface ObserversProps {
  event: EventUid
  observers: readonly Observer[]
  onEnded: () => void
}

function Observers({ event, observers, onEnded }: ObserversProps) {
  if (observers.length === 0) return <p className="text-muted">There are no links yet.</p>
  return (
    <ul aria-label="Observers" className="grid grid-cols-1 gap-3">
      {observers.map((observer) => (
        <li key={observer.uid} className="card flex flex-wrap items-center justify-between gap-2">
          <span className="min-w-0">
            <strong className="wrap-anywhere">{observer.name}</strong>
            <span className="block text-muted">
              {observer.notes === 1 ? '1 note' : `${observer.notes} notes`}
              {wordsOf(observer)}
            </span>
          </span>
          {!observer.ended && <EndLink event={event} observer={observer} onEnded={onEnded} />}
        </li>
      ))}
    </ul>
  )
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

function wordsOf({ until, ended }: Observer): string {
  if (ended) return ', ended'
  return until ? `, until ${formatDateIn(until, zone)}` : ''
}

function EndLink({
  event,
  observer: { uid, name },
  onEnded,
}: {
  event: EventUid
  observer: Observer
  onEnded: () => void
}) {
  const client = useQueryClient()
  const send = useKeyedSend(JSON.stringify, (params: { eventUid: EventUid; uid: string }, extras) =>
    call('DELETE /api/event/records/:eventUid/observers/:uid', { params }, extras),
  )
  const end = async () => {
    try {
      await send.mutateAsync({ eventUid: event, uid })
      onEnded()
      void client.invalidateQueries({ queryKey: observersQuery(event).queryKey })
    } catch (error) {
      toast(sentenceFor(error), { variant: 'danger' })
    }
  }
  return (
    <Button
      variant="outline"
      className="rec-small shrink-0"
      busy={send.isPending}
      aria-label={`End link of ${name}`}
      onClick={() => void end()}
    >
      End link
    </Button>
  )
}
