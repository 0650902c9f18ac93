import { Download, FileArchive, FileText, type LucideIcon, Sheet } from 'lucide-react'
import { useState } from 'react'
import type { EventUid } from '#kernel/ids.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { BottomSheet } from '#web/ui/popups/bottom-sheet.tsx'
import type { ExportFormat, ExportNames } from '../../kinds.ts'
import { useExport } from './export.data.ts'

const formats: readonly { format: ExportFormat; icon: LucideIcon; title: string }[] = [
  { format: 'pdf', icon: FileText, title: 'PDF' },
  { format: 'csv', icon: Sheet, title: 'Spreadsheets (CSV)' },
  { format: 'bundle', icon: FileArchive, title: 'Everything, for checking (ZIP)' },
]

const choices: readonly { value: ExportNames; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'needed', label: 'Where needed' },
  { value: 'all', label: 'All' },
]

const meaning: Record<ExportNames, string> = {
  none: 'No one is named.',
  needed: 'This names wardens, and people who were not accounted for, were in danger or refused to leave.',
  all: 'Everyone is named.',
}

interface ExportSheetProps {
  event: EventUid
  number: number
  onClose: () => void
}

/** A file of the record. Each export is an entry of its log. */
export function ExportSheet({ event, number, onClose }: ExportSheetProps) {
  const [names, setNames] = useState<ExportNames>('needed')
  const file = useExport(event)
  const choose = (next: ExportNames) => {
    setNames(next)
    file.forget()
  }
  return (
    <BottomSheet open onClose={onClose} title={`Export Record ${number}`}>
      <ToggleChoice legend="Names" options={choices} value={names} onChange={choose} />
      <p className="text-sm text-muted">
        {meaning[names]}
        {names !== 'all' && ' The ZIP names everyone, because its lines are complete.'}
      </p>
      <div className="grid grid-cols-1 gap-2">
        {formats.map(({ format, icon, title }) => (
          <Button
            key={format}
            variant="outline"
            icon={icon}
            block
            busy={file.isMaking && file.format === format}
            onClick={() => file.make({ format, names })}
          >
            {title}
          </Button>
        ))}
      </div>
      <div role="status" className="grid grid-cols-1 gap-2">
        {file.isMaking && <p className="text-center font-semibold">Making the file… {file.progress}%</p>}
        {file.failed && <Notice variant="danger">{file.failed}</Notice>}
        {file.url && (
          <a href={file.url} download className={buttonClass('blue', true)}>
            <Download aria-hidden className="shrink-0" />
            Download
          </a>
        )}
      </div>
    </BottomSheet>
  )
}
