import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Phone, PhoneCall, PhoneOff } from 'lucide-react'
import type { CallInput } from '#kernel/route.ts'
import { sentenceFor } from '#web/lib/refusal-sentences.ts'
import { call } from '#web/session/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { actOnSimulatedCall } from '../calls/simulator.ts'
import { ringingQuery } from './simulator.data.ts'

type Act = CallInput<typeof actOnSimulatedCall>['body']

const allKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#']

/** The call that rings on this phone, its words once it is answered, and the keys. Nothing while none rings. */
export function RingingPhone({ mobile }: { mobile: string }) {
  const client = useQueryClient()
  const query = ringingQuery(mobile)
  const ringing = useQuery(query).data?.call
  const { mutate, data, variables, error, isPending, reset } = useMutation({
    mutationFn: ({ id, body }: { id: string; body: Act }) =>
      call('POST /api/simulator/calls/:id', { params: { id }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: query.queryKey }),
  })
  if (!ringing) return data?.taken ? <Notice>Thank you. The call has ended.</Notice> : null
  const { id, answered, say } = ringing
  const act = (body: Act) => {
    reset()
    mutate({ id, body })
  }
  return (
    <section aria-labelledby="ringing" aria-live="polite" className="card grid gap-3">
      <h2 id="ringing" className="flex items-center gap-2 text-lg font-bold">
        {answered ? <PhoneCall aria-hidden /> : <Phone aria-hidden />}
        {answered ? 'On the phone' : 'This phone is ringing'}
      </h2>
      {answered && <p className="wrap-anywhere">{say}</p>}
      {answered ? (
        <fieldset className="grid grid-cols-[repeat(auto-fit,minmax(5rem,1fr))] gap-2" disabled={isPending}>
          <legend className="sr-only">Keys</legend>
          {allKeys.map((key) => (
            <Button key={key} variant="outline" onClick={() => act({ act: 'key', key })}>
              {key}
            </Button>
          ))}
        </fieldset>
      ) : (
        <div className="grid grid-cols-2 gap-2">
          <Button icon={PhoneOff} variant="outline" busy={isPending} onClick={() => act({ act: 'decline' })}>
            Decline
          </Button>
          <Button icon={Phone} busy={isPending} onClick={() => act({ act: 'answer' })}>
            Answer
          </Button>
        </div>
      )}
      {data?.taken === false && variables?.body.act === 'key' && (
        <p className="text-muted">Another key. The words come once more.</p>
      )}
      {error && <Notice variant="danger">{sentenceFor(error)}</Notice>}
    </section>
  )
}
