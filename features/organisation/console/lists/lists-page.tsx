import { PageFrame } from '#web/console/page-frame.tsx'
import type { ConsolePath } from '#web/pages/pages.ts'
import { Link } from '#web/ui/link.tsx'
import { ChecklistTab } from './checklist-tab.tsx'
import { DocumentsTab } from './documents-tab.tsx'
import { EventTypesTab } from './event-types-tab.tsx'
import { StatusesTab } from './statuses-tab.tsx'
import { TemplatesTab } from './templates-tab.tsx'

const tabs = [
  { kind: 'floor-statuses', title: 'Floor statuses', tab: StatusesTab },
  { kind: 'event-types', title: 'Event types', tab: EventTypesTab },
  { kind: 'checklist', title: 'Checklist', tab: ChecklistTab },
  { kind: 'templates', title: 'Templates', tab: TemplatesTab },
  { kind: 'documents', title: 'Documents', tab: DocumentsTab },
] as const
export type ListKind = (typeof tabs)[number]['kind']
export const isListKind = (kind: string): kind is ListKind => tabs.some((tab) => tab.kind === kind)

/** What wardens choose from and read. Who administers a site has its documents only. */
export function ListsPage({ kind, isWhole }: { kind: ListKind; isWhole: boolean }) {
  const shown = isWhole ? tabs : tabs.filter((tab) => tab.kind === 'documents')
  const { tab: Tab } = shown.find((tab) => tab.kind === kind) ?? shown[0] ?? tabs[4]
  return (
    <Tab
      frame={(button, content) => (
        <PageFrame title="Lists" purpose="What wardens choose from, send and read." button={button}>
          <nav aria-label="Lists" className="flex flex-wrap gap-1 border-b border-hairline">
            {shown.map((tab) => (
              <Link
                key={tab.kind}
                to={`/console/lists/${tab.kind}` satisfies ConsolePath}
                aria-current={tab.tab === Tab ? 'page' : undefined}
                className="console-tab"
              >
                {tab.title}
              </Link>
            ))}
          </nav>
          {content}
        </PageFrame>
      )}
    />
  )
}
