import { RotateCw } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** Above an older answer, which stays. */
export function CouldNotLoad({
  read: { isFetching, refetch },
}: {
  read: { isFetching: boolean; refetch: () => unknown }
}) {
  return (
    <Notice variant="danger">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p>This could not be loaded. Try again.</p>
        <Button variant="outline" icon={RotateCw} busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    </Notice>
  )
}
