import { Page } from '#web/ui/page.tsx'
import { Documents } from './documents.tsx'
import { useAssignmentUid } from './own-assignment.ts'

export function DocumentsScreen() {
  const assignment = useAssignmentUid()
  return (
    <Page>
      <Documents assignment={assignment} />
    </Page>
  )
}
