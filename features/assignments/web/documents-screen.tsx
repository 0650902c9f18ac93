import { Page } from '#web/ui/page.tsx'
import { Documents } from './documents.tsx'
import { useAssignmentUid } from './own-assignment.ts'

/** The documents of an assignment. */
export function DocumentsScreen() {
  const assignment = useAssignmentUid()
  return (
    <Page>
      <Documents assignment={assignment} />
    </Page>
  )
}
