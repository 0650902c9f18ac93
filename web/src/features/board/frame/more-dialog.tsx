import { useStore } from '../../../lib/store.ts'
import { chooseTheme, type Theme, themeStore } from '../../../lib/theme.ts'
import { useAuth } from '../../../session/stored-auth.ts'
import { ToggleChoice } from '../../../ui/fields/toggle-choice.tsx'
import { Link } from '../../../ui/link.tsx'
import { Dialog } from '../../../ui/popups/dialog.tsx'
import type { Form } from '../matrix/fit.ts'

interface MoreDialogProps {
  open: boolean
  onClose: () => void
  /** How the floors are drawn, or null where there is no matrix. */
  form: Form | null
  onForm: (form: Form) => void
}

const forms = [
  { value: 'rows', label: 'Rows' },
  { value: 'cells', label: 'Cells' },
] as const
const themes: { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
]

/** BOARD-23: what there is, and this reader may open. */
export function MoreDialog({ open, onClose, form, onForm }: MoreDialogProps) {
  const modules = useAuth()?.module_access
  const theme = useStore(themeStore)
  return (
    <Dialog open={open} onClose={onClose} title="More">
      {modules?.Module_Event_Management && (
        <Link to="/event/walls" className="btn w-full border-line text-link">
          Wall screens
        </Link>
      )}
      {form && <ToggleChoice legend="Floors" options={forms} value={form} onChange={onForm} />}
      <ToggleChoice legend="Theme" options={themes} value={theme} onChange={chooseTheme} />
    </Dialog>
  )
}
