import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '#kernel/client/client.ts'
import type { ReachUid } from '#kernel/ids.ts'
import { PhoneLink } from '#web/evacuees/phone-link.tsx'
import { formatMinute } from '#web/lib/time/server-clock.ts'
import { call } from '#web/session/api.ts'
import { useKeyedSend } from '#web/session/use-keyed-send.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { WhenRead } from '#web/ui/when-read.tsx'
import type { Reached, ReachTry } from '../calls/reach.ts'
import type { ReachAct, ReachClass, ReachList } from '../kinds.ts'
import { callTryWords, listWords, tryWords, wayWords } from '../words.ts'
import { reachedQuery } from './reach.data.ts'

interface ReachedPeopleProps {
  reachClass: ReachClass
  list: ReachList
}

/** The people of one list, with a line for each try. */
export function ReachedPeople({ reachClass, list }: ReachedPeopleProps) {
  const read = useInfiniteQuery(reachedQuery(reachClass, list))
  return (
    <WhenRead read={read} parts={['line', 'line']}>
      {({ pages }) => (
        <>
          <ul aria-label={listWords[list]} className="grid grid-cols-1 gap-3">
            {pages
              .flatMap(({ people }) => people)
              .map((person) => (
                <Person key={person.id} person={person} isOpen={list !== 'reached'} />
              ))}
          </ul>
          {read.hasNextPage && (
            <Button variant="outline" block busy={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
              Show more
            </Button>
          )}
        </>
      )}
    </WhenRead>
  )
}

function Person({ person, isOpen }: { person: Reached; isOpen: boolean }) {
  const { name, phone, warden, location, tries, answered_at, spoken_by } = person
  return (
    <li className="grid grid-cols-1 gap-2 border-t border-hairline pt-3 wrap-anywhere first:border-0 first:pt-0">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h3 className="leading-snug font-bold">{name}</h3>
          <p className="text-sm text-muted">{[warden && 'Warden', location].filter(Boolean).join(', ')}</p>
          <ul aria-label={`Tries to reach ${name}`} className="text-sm">
            {tries.map((one) => (
              <li key={`${one.way} ${one.at}`}>{lineOf(one)}</li>
            ))}
          </ul>
          {answered_at && (
            <p className="font-semibold">
              {spoken_by
                ? `${spoken_by} spoke to them ${formatMinute(new Date(answered_at))}`
                : `Answered ${formatMinute(new Date(answered_at))}`}
            </p>
          )}
        </div>
        <PhoneLink name={name} phone={phone} />
      </div>
      {isOpen && <Acts person={person} />}
    </li>
  )
}

/** 'Text: delivered 14:01', 'Call: no answer 14:03', 'Call: pressed 1 14:03' */
const lineOf = ({ way, state, at, reason, key }: ReachTry) =>
  `${wayWords[way]}: ${key ? `pressed ${key}` : becameOf({ way, state, reason })} ${formatMinute(new Date(at))}`

function becameOf({ way, state, reason }: Pick<ReachTry, 'way' | 'state' | 'reason'>): string {
  if (reason) return inLine(reason)
  const isCall = way === 'call' || way === 'second_call'
  return (isCall ? callTryWords[state] : undefined) ?? tryWords[state]
}

/** A sentence within a line. What begins with an abbreviation keeps its capitals. */
const inLine = (sentence: string) => {
  const plain = sentence.replace(/\.$/, '')
  return /^[A-Z][a-z ]/.test(plain) ? `${plain.charAt(0).toLowerCase()}${plain.slice(1)}` : plain
}

function Acts({ person: { id, name, again_from } }: { person: Reached }) {
  const client = useQueryClient()
  const send = useKeyedSend(JSON.stringify, ({ uid, act }: { uid: ReachUid; act: ReachAct }, extras) =>
    call('POST /api/event/reach/:uid', { params: { uid }, body: { act } }, extras),
  )
  const press = async (act: ReachAct) => {
    try {
      await send.mutateAsync({ uid: id, act })
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status < 500
      toast(isRefused ? error.message : 'Not saved. Try again.', { variant: 'danger' })
    }
    await client.invalidateQueries({ queryKey: ['text', 'reach'] })
  }
  return (
    <div className="grid grid-cols-1 gap-2 wide:grid-cols-2">
      <Button
        variant="outline"
        aria-label={`Try again now: ${name}`}
        disabled={again_from !== null}
        busy={send.isPending && send.variables?.act === 'again'}
        onClick={() => void press('again')}
      >
        Try again now
      </Button>
      <Button
        variant="outline"
        aria-label={`I have spoken to them: ${name}`}
        busy={send.isPending && send.variables?.act === 'spoken'}
        onClick={() => void press('spoken')}
      >
        I have spoken to them
      </Button>
    </div>
  )
}
