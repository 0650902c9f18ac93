import { type ComponentType, lazy } from 'react'
import { PageFrame } from '../../console/page-frame.tsx'
import type { ConsolePath } from '../../pages/pages.ts'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { IsBeside } from '../../ui/page.tsx'
import { PageBoundary } from '../page-boundary.tsx'

interface RecordPage {
  title: string
  Screen: ComponentType
  back?: { to: ConsolePath; title: string }
}

const RecordsScreen = lazy(async () => ({
  default: (await import('#features/records/web/records-screen.tsx')).RecordsScreen,
}))
const RecordScreen = lazy(async () => ({
  default: (await import('#features/records/web/record-screen.tsx')).RecordScreen,
}))
const TimelineScreen = lazy(async () => ({
  default: (await import('#features/records/web/timeline-screen.tsx')).TimelineScreen,
}))
const ReplayScreen = lazy(async () => ({
  default: (await import('#features/records/web/replay-screen.tsx')).ReplayScreen,
}))
const ActionsScreen = lazy(async () => ({
  default: (await import('#features/records/web/actions-screen.tsx')).ActionsScreen,
}))

const toList = { to: '/console/records', title: 'Records' } as const

function pageOf(rest: string): RecordPage | undefined {
  if (rest === '') return { title: 'Records', Screen: RecordsScreen }
  if (rest === 'actions') return { title: 'Corrective Actions', Screen: ActionsScreen, back: toList }
  const [, event, below] = /^([\da-f-]{36})(\/timeline|\/replay)?$/.exec(rest) ?? []
  if (!event) return undefined
  if (!below) return { title: 'Event Record', Screen: RecordScreen, back: toList }
  const back = { to: `/console/records/${event}`, title: 'Event Record' } as const
  return below === '/replay'
    ? { title: 'Replay', Screen: ReplayScreen, back }
    : { title: 'Timeline', Screen: TimelineScreen, back }
}

/** The pages of records as wardens have them, to be read. */
export function RecordPages({ rest }: { rest: string }) {
  const page = pageOf(rest)
  if (!page) return <Notice variant="warning">There is no such page.</Notice>
  const { title, Screen, back } = page
  return (
    <PageFrame title={title} purpose="The record of each event and drill." {...(back && { isBelow: true })}>
      {back && (
        <Link to={back.to} className="console-link print:hidden">
          Back to {back.title}
        </Link>
      )}
      <PageBoundary key={rest}>
        <IsBeside value>
          <Screen />
        </IsBeside>
      </PageBoundary>
    </PageFrame>
  )
}
