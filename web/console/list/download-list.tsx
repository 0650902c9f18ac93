import { Download } from 'lucide-react'
import { useOneAction } from '../../lib/one-action.ts'
import { Button } from '../../ui/button.tsx'
import { saveFile } from '../save-file.ts'
import { toastFailure } from '../toast-done.ts'

interface DownloadListProps {
  /** Name of the file. */
  name: string
  read: () => Promise<{ csv: string }>
}

/** The list as it stands, with its filters, order and columns, as a CSV file. */
export function DownloadList({ name, read }: DownloadListProps) {
  const { running, run } = useOneAction<'download'>()
  const handlePress = () =>
    void run('download', async () => {
      try {
        const { csv } = await read()
        saveFile(new Blob([csv], { type: 'text/csv' }), name)
      } catch (error) {
        toastFailure(error)
      }
    })
  return (
    <Button variant="outline" icon={Download} busy={running !== null} onClick={handlePress}>
      Download this list
    </Button>
  )
}
