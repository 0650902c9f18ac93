import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { phoneStorage } from '../../lib/phone-storage.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { Dialog } from '../../ui/popups/dialog.tsx'

interface Choosable {
  head: string
  isExtra?: true
  tableOnly?: true
}

/** The columns of a list that are shown, by their headers. This browser keeps what was chosen. */
export function useColumns<Column extends Choosable>(list: string, columns: readonly Column[]) {
  const key = `columns ${list}`
  const [chosen, setChosen] = useState(() => phoneStorage.get(key)?.split(',') ?? null)
  const isShown = ({ head, isExtra }: Choosable) => (chosen ? chosen.includes(head) : !isExtra)
  const choose = (heads: readonly string[]) => {
    phoneStorage.set(key, heads.join())
    setChosen([...heads])
  }
  // what someone has chosen stands on the cards of a phone, too
  const shown = columns.filter(isShown).map((column) => {
    if (!chosen) return column
    const { tableOnly: _, ...everywhere } = column
    return everywhere
  })
  return { shown, choose }
}

interface ColumnsButtonProps {
  columns: readonly Choosable[]
  shown: readonly Choosable[]
  onChoose: (heads: string[]) => void
}

/** Chooses the columns of a list. */
export function ColumnsButton({ columns, shown, onChoose }: ColumnsButtonProps) {
  const [open, setOpen] = useState(false)
  const heads = columns.map(({ head }) => head)
  const isShown = (head: string) => shown.some((column) => column.head === head)
  return (
    <>
      <Button variant="outline" icon={Columns3} onClick={() => setOpen(true)}>
        Columns
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Columns">
        <div className="grid grid-cols-1">
          {heads.map((head) => (
            <Checkbox
              key={head}
              label={head}
              checked={isShown(head)}
              onChange={(isOn) => onChoose(heads.filter((one) => (one === head ? isOn : isShown(one))))}
            />
          ))}
        </div>
        <div className="console-end">
          <Button onClick={() => setOpen(false)}>Done</Button>
        </div>
      </Dialog>
    </>
  )
}
