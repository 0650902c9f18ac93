import { useQuery } from '@tanstack/react-query'
import { consoleSentence } from '#web/session/console-session.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type BulkInput, bulkDifferenceQuery } from './people.data.ts'

const columnWords: Record<string, string> = { floor: '', active: '', invitation: '' }
const valueWords: Record<string, string> = {
  invited: 'gets a link to set a password',
  told: 'gets an email, already has a password',
  texted: 'gets a text',
}

/** What the act would change, of whom, and who is left and why. */
export function BulkDifference({ input }: { input: BulkInput }) {
  const { data, error } = useQuery(bulkDifferenceQuery(input))
  if (error) return <Notice variant="danger">{consoleSentence(error)}</Notice>
  if (!data) return <Skeleton parts={['line', 'line']} />
  const { difference, left, waits } = data
  return (
    <section aria-label="What changes" className="grid gap-2">
      <p role="status" className="font-semibold tabular-nums">
        {difference.length === 1 ? '1 change' : `${difference.length} changes`}
        {waits > 0 && `, ${waits} waiting until off duty`}
        {left.length > 0 && `, ${left.length} left as they are`}
      </p>
      {difference.length + left.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by the keyboard
        <ul tabIndex={0} aria-label="What changes" className="console-picks max-h-56 overflow-y-auto">
          {difference.map(({ title, kind, cells }) => (
            <li key={title}>
              <span className="font-semibold">{title}</span>
              {cells.map(({ column, before, after }) => (
                <span key={column} className="block text-sm text-muted">
                  {columnWords[column] ?? column} {kind === 'changed' && `${before ?? 'empty'} → `}
                  {valueWords[after ?? ''] ?? after ?? 'empty'}
                </span>
              ))}
            </li>
          ))}
          {left.map(({ person, name, reason }) => (
            <li key={person}>
              <span className="font-semibold">{name}</span>
              <span className="block text-sm text-muted">Left as they are. {reason}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm text-muted">You can undo this for 7 days, under Upload &amp; export.</p>
    </section>
  )
}
