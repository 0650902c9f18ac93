import { troubleWords } from '#features/log/words.ts'
import { Notice } from '#web/ui/notice.tsx'
import { timesOf } from '../../times.ts'
import type { ReadRecord } from './records.data.ts'

/** Stands first on each page of a record that does not match its log. */
export function Trouble({ answer }: { answer: ReadRecord | undefined }) {
  if (!answer?.check?.trouble) return null
  const { at, trouble } = answer.check
  return (
    <div role="alert" className="rec-trouble">
      <Notice variant="danger">{troubleWords(trouble, timesOf(answer).moment(at))}</Notice>
    </div>
  )
}
