import { PageFrame } from '../../console/page-frame.tsx'
import type { ConsolePath } from '../../pages/pages.ts'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { IsBeside } from '../../ui/page.tsx'
import { PageBoundary } from '../page-boundary.tsx'
import { LazyScreen, type ScreenEntry, screen } from '../screen.tsx'

interface RecordPage {
  title: string
  entry: ScreenEntry
  back?: { to: ConsolePath; title: string }
}

const list = screen(async () => (await import('../../features/records/records-screen.tsx')).RecordsScreen)
const record = screen(async () => (await import('../../features/records/record-screen.tsx')).RecordScreen)
const timeline = screen(async () => (await import('../../features/records/timeline-screen.tsx')).TimelineScreen)
const replay = screen(async () => (await import('../../features/records/replay-screen.tsx')).ReplayScreen)
const actions = screen(async () => (await import('../../features/records/actions-screen.tsx')).ActionsScreen)

const toList = { to: '/console/records', title: 'Records' } as const

function pageOf(rest: string): RecordPage | undefined {
  if (rest === '') return { title: 'Records', entry: list }
  if (rest === 'actions') return { title: 'Corrective Actions', entry: actions, back: toList }
  const [, event, below] = /^([\da-f-]{36})(\/timeline|\/replay)?$/.exec(rest) ?? []
  if (!event) return undefined
  if (!below) return { title: 'Event Record', entry: record, back: toList }
  const back = { to: `/console/records/${event}`, title: 'Event Record' } as const
  return below === '/replay' ? { title: 'Replay', entry: replay, back } : { title: 'Timeline', entry: timeline, back }
}

/** AAR-01: the pages of records as wardens have them, to be read. */
export function RecordPages({ rest }: { rest: string }) {
  const page = pageOf(rest)
  if (!page) return <Notice variant="warning">There is no such page.</Notice>
  const { title, entry, back } = page
  return (
    <PageFrame title={title} purpose="What is kept of each event and drill." {...(back && { isBelow: true })}>
      {back && (
        <Link to={back.to} className="console-link print:hidden">
          Back to {back.title}
        </Link>
      )}
      <PageBoundary key={rest}>
        <IsBeside value>
          <LazyScreen entry={entry} />
        </IsBeside>
      </PageBoundary>
    </PageFrame>
  )
}
