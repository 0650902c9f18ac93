import { Dialog } from '#web/ui/popups/dialog.tsx'
import { keyList } from '../matrix/matrix-keys.ts'

/** What the keys do in the matrix. */
export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <dl className="bd-key-list">
        {keyList.map(([keys, words]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
