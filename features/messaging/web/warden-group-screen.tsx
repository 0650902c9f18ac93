import { useQuery } from '@tanstack/react-query'
import { MessageSquare, Smartphone, Users } from 'lucide-react'
import { useRef } from 'react'
import { useHistoryState } from 'wouter/use-browser-location'
import type { SignInUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { StatusBadge } from '#web/evacuees/status-badge.tsx'
import { call } from '#web/session/api.ts'
import { attendanceOf } from '#web/session/attendance.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { messengerListQuery } from './messenger/messenger.data.ts'
import { noFilters } from './messenger/messenger-filters.ts'
import { canMessageGroup, canReportIn, isOnDuty, type Member, type WardenGroupState } from './sending/audience.ts'
import type { Question } from './sending/confirm-send.tsx'
import { GroupMessageBox } from './sending/group-message-box.tsx'
import { LinksToGroup } from './sending/report-in-link.tsx'

/** A message to the wardens of a list, and links to those who have not reported in. */
export function WardenGroupScreen() {
  const state = useHistoryState<Partial<WardenGroupState> | null>()
  const audience = useCurrent(state?.audience?.length ? state.audience : [])
  const from = state?.senderWardenSignInUid
  const linked = audience.filter(canReportIn)
  const isTooLarge = audience.length > limits.audience
  return (
    <Page className="min-h-[calc(100dvh-3.75rem)] grid-rows-[auto_auto_1fr_auto]">
      <div className="grid gap-4">
        <Counts audience={audience} />
        {isTooLarge && (
          <Notice variant="warning">
            One message can go to at most {limits.audience} wardens. Please go back and choose fewer.
          </Notice>
        )}
      </div>
      <LinksToGroup to={linked.map(({ wardenSignInUid }) => wardenSignInUid)} from={from} />
      <Audience audience={audience} />
      <GroupMessageBox
        to="Warden"
        disabled={audience.length === 0 || isTooLarge || !from}
        bySms={!audience.every(isOnDuty)}
        smsAllowed={canMessageGroup(audience, state?.sms_allowed === true)}
        question={questionTo(audience, state?.sms_allowed === true)}
        send={({ text }, extras) =>
          call(
            'POST /api/message/warden/group/send',
            {
              body: {
                audience: audience.map(({ id, wardenSignInUid }) => ({ wardenAssignmentUid: id, wardenSignInUid })),
                from: from as SignInUid,
                message: text,
              },
            },
            extras,
          )
        }
      />
    </Page>
  )
}

/** The members with their statuses of now: who has reported in since the list was handed over reads it in the app. */
function useCurrent(audience: readonly Member[]): readonly Member[] {
  const opened = useRef(Date.now())
  const list = useQuery({ ...messengerListQuery(noFilters, ''), enabled: audience.length > 0 })
  if (!list.data || list.dataUpdatedAt < opened.current) return audience
  const now = new Map(list.data.messengerList.map(({ id, status }) => [id, status]))
  return audience.map((member) => ({ ...member, status: now.get(member.id) ?? member.status }))
}

function questionTo(audience: readonly Member[], smsAllowed: boolean): Question {
  const count = audience.length
  const inApp = smsAllowed ? audience.filter(isOnDuty).length : count
  const ways = [inApp > 0 && `${inApp} in the app`, count > inApp && `${count - inApp} by SMS`].filter(Boolean)
  const named = audience.slice(0, 3).map(({ name = 'Warden' }) => name)
  const others = count > named.length ? ` and ${count - named.length} more` : ''
  return {
    count,
    title: `Message ${count} ${count === 1 ? 'warden' : 'wardens'}?`,
    audience: `${named.join(', ')}${others}: ${ways.join(', ')}.`,
  }
}

function Counts({ audience }: { audience: readonly Member[] }) {
  const inApp = audience.filter(isOnDuty).length
  const counts = [
    { label: 'In App', value: inApp, icon: MessageSquare },
    { label: 'SMS', value: audience.length - inApp, icon: Smartphone },
    { label: 'Total', value: audience.length, icon: Users },
  ]
  return (
    <dl className="card grid grid-cols-[repeat(auto-fit,minmax(5rem,1fr))] gap-2 text-center">
      {counts.map(({ label, value, icon: Icon }) => (
        <div key={label} className="grid justify-items-center">
          <dt className="flex items-center gap-1.5 text-muted">
            <Icon aria-hidden size={18} className="shrink-0" />
            {label}
          </dt>
          <dd className="text-2xl font-bold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Audience({ audience }: { audience: readonly Member[] }) {
  if (audience.length === 0) return <p className="py-8 text-center text-lg text-muted">No Wardens Found</p>
  return (
    <ul aria-label="Recipients" className="grid content-start">
      {audience.map(({ id, name = 'Warden', status }) => (
        <li
          key={id}
          className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-hairline py-2"
        >
          <span className="font-bold">{name}</span>
          <StatusBadge status={attendanceOf(status)} />
        </li>
      ))}
    </ul>
  )
}
