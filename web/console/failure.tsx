import { Notice } from '../ui/notice.tsx'

/** Why something failed, said aloud. It stands in the page before that, or screen readers would miss it. */
export const Failure = ({ of, className = '' }: { of: string | null | undefined; className?: string }) => (
  <div role="alert" className={`${className} empty:hidden`.trim()}>
    {of && <Notice variant="danger">{of}</Notice>}
  </div>
)
