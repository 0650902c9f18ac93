import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageCircleQuestionMark } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { formatCount } from '../../lib/counts.ts'
import { sentenceFor } from '../../lib/refusal-sentences.ts'
import { useAuth } from '../../session/stored-auth.ts'
import { useKeyedSend } from '../../session/use-keyed-send.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ConfirmSheet } from '../../ui/popups/confirm-sheet.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Asking, ask, askCountQuery } from './ask.data.ts'

/** 'Ask {n}'. Nothing is drawn where no one can be asked, or the role has no messages. */
export function AskButton(asking: Asking) {
  const isAllowed = useAuth()?.module_access.Module_My_Messages === true
  const { data } = useQuery({ ...askCountQuery(asking), enabled: isAllowed })
  const [asked, setAsked] = useState<number>()
  const [mayRing, setMayRing] = useState(false)
  const { send, isOther, isPending } = useAsk(asking)
  if (!isAllowed || !data || (data.count === 0 && asked === undefined)) return null
  const close = () => {
    setAsked(undefined)
    setMayRing(false)
  }
  return (
    <>
      <Button variant="outline" icon={MessageCircleQuestionMark} busy={isPending} onClick={() => setAsked(data.count)}>
        Ask {formatCount(data.count)}
      </Button>
      <ConfirmSheet
        open={asked !== undefined}
        title={`Ask ${peopleOf(data.count)}?`}
        confirm={`Ask ${formatCount(data.count)}`}
        disabled={data.quiet === true && !mayRing}
        onConfirm={() => {
          close()
          void send(data.count, data.quiet === true)
        }}
        onCancel={close}
      >
        {isOther && <Notice variant="warning">Not sent: the number has changed. Please look again.</Notice>}
        <p className="rounded-xl bg-raised p-3 whitespace-pre-line wrap-anywhere">{data.text}</p>
        <p>
          This sends {formatCount(data.count)} texts ({formatCount(data.segments)} segments).
        </p>
        <p className="text-sm text-muted empty:hidden">{leftOut(data)}</p>
        {data.quiet && (
          <Checkbox label="These phones may make a sound." checked={mayRing} onChange={() => setMayRing(!mayRing)} />
        )}
      </ConfirmSheet>
    </>
  )
}

const peopleOf = (count: number) => (count === 1 ? '1 person' : `${formatCount(count)} people`)

const leftOut = (data: { asked_lately: number; without_mobile: number; sms_refused: number }) =>
  [
    data.asked_lately > 0 && `${formatCount(data.asked_lately)} asked within 3 minutes`,
    data.without_mobile > 0 && `${formatCount(data.without_mobile)} without a number`,
    data.sms_refused > 0 && `${formatCount(data.sms_refused)} refused SMS`,
  ]
    .filter(Boolean)
    .join(' · ')

interface Sent {
  count: number
  sounds?: 'yes'
}

function useAsk(asking: Asking) {
  const client = useQueryClient()
  const { mutateAsync, isPending, error } = useKeyedSend(
    (sent: Sent) => JSON.stringify([asking, sent]),
    (sent, extras) => ask({ ...asking, ...sent }, extras),
  )
  const isOther = error instanceof ApiError && error.code === 'changed_since'
  const send = async (count: number, isQuiet: boolean) => {
    try {
      toast((await mutateAsync({ count, ...(isQuiet && { sounds: 'yes' as const }) })).message, { variant: 'success' })
    } catch (failed) {
      const changed = failed instanceof ApiError && failed.code === 'changed_since'
      toast(changed ? 'Not sent: the number has changed. Please look again.' : `Not sent. ${sentenceFor(failed)}`, {
        variant: 'danger',
      })
    }
    await client.invalidateQueries({ queryKey: ['evacuee'] })
  }
  return { send, isOther, isPending }
}
