import { useQuery } from '@tanstack/react-query'
import { LayoutList, SendHorizontal } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import * as limits from '#kernel/limits.ts'
import { Button } from '#web/ui/button.tsx'
import { AboutLink, InsertLink } from '#web/ui/fields/insert-link.tsx'
import { BottomSheet } from '#web/ui/popups/bottom-sheet.tsx'
import { useMessageDraft } from './message-draft.ts'
import { useSmsCount } from './sms-count.ts'
import { type MessageTemplate, type RecipientType, templatesQuery } from './templates.data.ts'

interface MessageBoxProps {
  /** Whose templates are offered. */
  to: RecipientType
  disabled: boolean
  /** Why nothing can be written; stands in the box. */
  notice?: string | undefined
  /** It goes to a phone as a text: the box says how many segments are paid for. */
  bySms: boolean
  /** A message is on its way: what stands in the box is its words until then. */
  busy: boolean
  /** Sends; true when the box may be emptied. */
  onSend: (text: string, automatedResponse: 0 | 1) => Promise<boolean>
}

/** The box at the foot of every message page: templates, text with a counter, send. */
export function MessageBox({ to, disabled, notice, bySms, busy, onSend }: MessageBoxProps) {
  const draft = useMessageDraft()
  const count = useSmsCount(draft.text)
  const field = useRef<HTMLTextAreaElement>(null)
  const hintId = useId()

  const send = async () => {
    if (draft.isEmpty) return field.current?.focus()
    if (await onSend(draft.text, draft.automatedResponse)) draft.clear()
  }
  const choose = (template: MessageTemplate) => {
    draft.choose(template)
    field.current?.focus()
  }
  return (
    <div className="pin-bottom z-10 -mx-3 mt-auto -mb-8 grid gap-2 border-t border-hairline bg-canvas px-3 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      <textarea
        ref={field}
        aria-label="Message"
        aria-describedby={hintId}
        rows={notice ? 4 : 2}
        placeholder={notice ?? 'Message'}
        value={draft.text}
        disabled={disabled}
        // Like a busy button it keeps the focus, and with it the phone's keyboard.
        readOnly={busy}
        aria-disabled={busy || undefined}
        className={`field resize-none disabled:opacity-100 ${notice ? 'field-sizing-content' : ''}`}
        onChange={(event) => draft.write(event.target.value)}
      />
      <p className="-mt-1 text-sm text-muted empty:hidden">{to === 'Evacuee' && <AboutLink text={draft.text} />}</p>
      <p id={hintId} className="-mt-1 flex justify-between gap-3 text-sm text-muted">
        <span role="status" className="font-semibold text-danger-ink">
          {draft.isRejected && `At most ${limits.messageLength} characters.`}
        </span>
        <span className="tabular-nums">
          {bySms && !draft.isEmpty && `${count} SMS · `}
          {draft.text.length}/{limits.messageLength}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Templates type={to} disabled={disabled || busy} onChoose={choose} />
        {to === 'Evacuee' && (
          <InsertLink
            field={field}
            text={draft.text}
            disabled={disabled || busy}
            className="min-h-14"
            onChange={draft.write}
          />
        )}
        <Button
          icon={SendHorizontal}
          className="min-h-14 grow text-lg"
          disabled={disabled}
          busy={busy}
          onClick={() => void send()}
        >
          Send
        </Button>
      </div>
    </div>
  )
}

interface TemplatesProps {
  type: RecipientType
  disabled: boolean
  onChoose: (template: MessageTemplate) => void
}

/** Rises from the bottom; without templates there is no button. */
function Templates({ type, disabled, onChoose }: TemplatesProps) {
  const { data = [] } = useQuery(templatesQuery(type))
  const [isOpen, setOpen] = useState(false)
  if (data.length === 0) return null

  const choose = (template: MessageTemplate) => {
    setOpen(false)
    onChoose(template)
  }
  return (
    <>
      <Button
        variant="outline"
        icon={LayoutList}
        className="min-h-14"
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        Templates
      </Button>
      <BottomSheet open={isOpen} onClose={() => setOpen(false)} title="Templates">
        <ul className="grid grid-cols-1 gap-2">
          {data.map((template) => (
            <li key={template.id}>
              <button
                type="button"
                className="btn min-h-17 w-full justify-start border-line text-left font-normal"
                onClick={() => choose(template)}
              >
                {template.text}
              </button>
            </li>
          ))}
        </ul>
      </BottomSheet>
    </>
  )
}
