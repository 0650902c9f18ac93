import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'
import { ApiError } from '#kernel/client/client.ts'
import type { EventUid } from '#kernel/ids.ts'
import { useStore } from '#web/lib/store.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import { linkEnded } from '../words.ts'
import { byLinkQuery, noteArrived, type Observed } from './observing/noting.data.ts'
import { Noting } from './observing/noting.tsx'
import { openObserverOutbox } from './observing/observer-outbox.ts'
import './parts/styles.ts'

/** What an observer's link opens, to anyone. The token stays behind '#', so that a reload finds it. */
export function ObserveScreen() {
  const token = useLocationProperty(() => location.hash.slice(1))
  return <Page className="rec-page rec-form">{token ? <ByLink key={token} token={token} /> : <Ended />}</Page>
}

const Ended = () => <Notice variant="warning">{linkEnded}</Notice>
const isOver = (error: unknown) => error instanceof ApiError && ['link_ended', 'not_signed_in'].includes(error.code)

function ByLink({ token }: { token: string }) {
  const read = useQuery(byLinkQuery(token))
  if (isOver(read.error)) return <Ended />
  return (
    <WhenRead read={read} parts={['card', 'field', 'field', 'card']}>
      {(observed) => <Noted token={token} observed={observed} />}
    </WhenRead>
  )
}

function Noted({ token, observed }: { token: string; observed: Observed }) {
  const client = useQueryClient()
  const [outbox] = useState(() => openObserverOutbox(token))
  const records = useStore(outbox.records)
  useEffect(() => {
    outbox.start()
    return outbox.onSent(({ reply }) => {
      if ('entry' in reply) noteArrived(client, byLinkQuery(token).queryKey, reply.entry)
    })
  }, [client, outbox, token])
  const about = { id: observed.site as EventUid, name: observed.site }
  return (
    <Noting
      noting={observed}
      records={records}
      onKeep={(body) => outbox.enqueue({ kind: 'note', body, wish: null, about })}
    >
      <p>Your name is recorded as {observed.name}.</p>
    </Noting>
  )
}
