import { Download } from 'lucide-react'
import { useState } from 'react'
import { toastFailure } from '#web/console/toast-done.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { Button } from '#web/ui/button.tsx'
import { downloadExport, makeExport } from './uploads.data.ts'

/** The button that takes everything away, and what stands below the title while an export is made and once it is ready. */
export function useExport() {
  const [made, setMade] = useState<string | null>(null)
  const { running, run } = useOneAction<'make' | 'again'>()
  const act = (name: 'make' | 'again', work: () => Promise<void>) => void run(name, () => work().catch(toastFailure))
  const handlePress = () =>
    act('make', async () => {
      setMade(null)
      const uid = await makeExport()
      setMade(uid)
      await downloadExport(uid)
    })
  const isMaking = running === 'make' && made === null
  return {
    button: (
      <Button icon={Download} busy={isMaking} onClick={handlePress}>
        Export everything
      </Button>
    ),
    status: (
      <div role="status" className="flex flex-wrap items-center gap-3 empty:hidden">
        {isMaking && <p>Preparing your export.</p>}
        {made !== null && (
          <>
            <p>Your export is ready for an hour. Each download has a link of its own.</p>
            <Button
              icon={Download}
              variant="outline"
              busy={running === 'again'}
              onClick={() => act('again', () => downloadExport(made))}
            >
              Download again
            </Button>
          </>
        )}
      </div>
    ),
  }
}
