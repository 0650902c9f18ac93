import type { ModuleFlag } from '#kernel/vocabulary.ts'
import { chooseTheme, type Theme, themeStore } from '#web/lib/look/theme.ts'
import { useStore } from '#web/lib/store.ts'
import type { Address } from '#web/pages/pages.ts'
import { useAuth } from '#web/session/stored-auth.ts'
import { ToggleChoice } from '#web/ui/fields/toggle-choice.tsx'
import { Link } from '#web/ui/link.tsx'
import { Dialog } from '#web/ui/popups/dialog.tsx'
import { SoundButton } from '../alert/sound-button.tsx'
import type { Form } from '../matrix/fit-to-screen.ts'

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

const entries: readonly { to: Address; words: string; module: ModuleFlag | null }[] = [
  { to: '/event/command', words: 'Command', module: null },
  { to: '/event/instructions', words: 'Instructions', module: 'Module_Event_Management' },
  { to: '/event/reach', words: 'Who has answered', module: 'Module_Event_Management' },
  { to: '/event/people', words: 'Accounting', module: 'Module_Evacuee_Safety' },
  { to: '/event/coverage', words: 'Floors without a warden', module: 'Module_Floor_Evacuation' },
  { to: '/event/hazards', words: 'Hazards', module: null },
  { to: '/event/plans', words: 'Who opened plans', module: 'Module_Building_Evacuation_Status' },
  { to: '/event/walls', words: 'Wall screens', module: 'Module_Event_Management' },
  { to: '/event/poster', words: 'Self-report poster', module: 'Module_Event_Management' },
]

/** What there is, and this reader may open. */
export function MoreDialog({ open, onClose, form, onForm }: MoreDialogProps) {
  const modules = useAuth()?.module_access
  const theme = useStore(themeStore)
  return (
    <Dialog open={open} onClose={onClose} title="More">
      {entries
        .filter(({ module }) => module === null || modules?.[module])
        .map(({ to, words }) => (
          <Link key={to} to={to} className="btn w-full border-line text-link">
            {words}
          </Link>
        ))}
      {form === null && <SoundButton />}
      {form && <ToggleChoice legend="Floors" options={forms} value={form} onChange={onForm} />}
      <ToggleChoice legend="Theme" options={themes} value={theme} onChange={chooseTheme} />
    </Dialog>
  )
}
