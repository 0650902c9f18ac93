import { buttonClass } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { Page } from '../ui/page.tsx'

export function NotFound() {
  return (
    <Page className="place-content-center justify-items-center gap-6 py-24 text-center">
      <h1 tabIndex={-1} data-page-title className="text-2xl font-bold">
        404 Not Found!
      </h1>
      <Link to="/reportinlist" className={buttonClass('blue')}>
        Report In List
      </Link>
    </Page>
  )
}
