import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { List } from '#web/console/list/list.tsx'
import { useListAddress } from '#web/console/list/list-address.ts'
import { useZone } from '#web/console/me.data.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { saveFile } from '#web/console/save-file.ts'
import { toastFailure } from '#web/console/toast-done.ts'
import { formatMomentIn } from '#web/console/zone-time.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { Button } from '#web/ui/button.tsx'
import { ChooseFiles } from './choose-files.tsx'
import { useExport } from './export-everything.tsx'
import { countsOf, kindWords, stateWords } from './state-words.ts'
import { UndoButton } from './undo-button.tsx'
import { readTemplates, type UploadRow, uploadsQuery } from './uploads.data.ts'

/** Tables in and out. `isWhole`: the administrator reaches the whole organisation. */
export function TablesPage({ isWhole }: { isWhole: boolean }) {
  const address = useListAddress([])
  const zone = useZone()
  const read = useQuery(uploadsQuery(address.query))
  const everything = useExport()
  return (
    <PageFrame
      title="Upload & export"
      purpose="Upload tables, see what they would change, and export everything."
      button={everything.button}
    >
      {everything.status}
      <div>
        <TemplatesButton />
      </div>
      <ChooseFiles mayEnd={isWhole} />
      <h2 className="text-lg font-bold">History</h2>
      <List
        label="Uploads"
        read={read}
        address={address}
        keyOf={({ uid }) => uid}
        nameHead="Time"
        name={({ at }) => <span className="font-semibold">{formatMomentIn(at, zone)}</span>}
        to={({ uid }) => `/console/tables/${uid}`}
        columns={[
          { head: 'Of', cell: ({ kind }: UploadRow) => kindWords[kind] },
          { head: 'State', cell: ({ state }: UploadRow) => stateWords[state] },
          { head: 'Who', cell: ({ by }: UploadRow) => by },
          { head: 'What', cell: (row: UploadRow) => (row.state === 'open' ? '' : countsOf(row)) },
        ]}
        actions={({ uid, undo_until }) => undo_until !== null && <UndoButton uid={uid} until={undo_until} />}
        empty="Nothing has been uploaded yet."
      />
    </PageFrame>
  )
}

function TemplatesButton() {
  const { running, run } = useOneAction<'templates'>()
  const handlePress = () =>
    void run('templates', async () => {
      try {
        const { name, file } = await readTemplates()
        saveFile(file, name)
      } catch (error) {
        toastFailure(error)
      }
    })
  return (
    <Button icon={Download} variant="outline" busy={running !== null} onClick={handlePress}>
      Download templates
    </Button>
  )
}
