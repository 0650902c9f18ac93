import { Component, type ReactNode, Suspense } from 'react'
import { browser } from '../lib/browser.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Spinner } from '../ui/spinner.tsx'

interface State {
  broken: boolean
}

/**
 * Waits for a page's chunk. One broken page leaves header and menu alive. Also catches a page whose chunk could not be
 * fetched: Chromium never asks for it again, and where the program has been replaced at the server it is gone, so only a
 * new load helps.
 */
export class PageBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { broken: false }

  static getDerivedStateFromError(): State {
    return { broken: true }
  }

  tryAgain = () => {
    void browser.reloadWhenReachable()
    this.setState({ broken: false })
  }

  override render() {
    if (!this.state.broken) return <Suspense fallback={<Spinner label="Loading..." />}>{this.props.children}</Suspense>
    return (
      <Page>
        <Notice variant="danger">This page could not be shown. Check your signal, then try again.</Notice>
        <Button block onClick={this.tryAgain}>
          Try again
        </Button>
      </Page>
    )
  }
}
