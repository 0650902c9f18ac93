import { ExternalLink, FileText } from 'lucide-react'
import { useId } from 'react'
import type { CallReply } from '#kernel/route.ts'
import type { listDocuments } from '../calls/assignments.ts'

type Documents = CallReply<typeof listDocuments>['documents']

/** Without the signature, which is another at every reading: the link would lose the focus. */
const addressOf = (link: string) => link.split('?')[0]

/** Each opens in a new tab, which learns nothing about this one. */
export function DocumentList({ documents }: { documents: Documents }) {
  const noteId = useId()
  if (documents.length === 0) return <p className="card p-4 text-muted">No Documents</p>
  return (
    <>
      <p id={noteId} hidden>
        Opens in a new tab
      </p>
      <ul className="grid grid-cols-1 gap-2">
        {documents.map(({ Document_Name, Document_S3_Link }) => (
          <li key={Document_Name + addressOf(Document_S3_Link)}>
            <a
              href={Document_S3_Link}
              target="_blank"
              rel="noopener noreferrer"
              aria-describedby={noteId}
              className="card flex min-h-15 items-center gap-2 font-semibold"
            >
              <FileText aria-hidden className="shrink-0 text-link" />
              <span className="min-w-0 flex-1">{Document_Name}</span>
              <ExternalLink aria-hidden size={20} className="shrink-0 text-muted" />
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
