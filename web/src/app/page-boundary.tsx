import { Component, type ReactNode } from 'react'
import { browser } from '../lib/browser.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

interface State {
  broken: boolean
  tried: boolean
}

/**
 * One broken page leaves header and menu alive. Also catches a page whose chunk could not be fetched: without signal
 * trying again helps; when the program has been replaced at the server only a new load does.
 */
export class PageBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { broken: false, tried: false }

  static getDerivedStateFromError(): Partial<State> {
    return { broken: true }
  }

  tryAgain = () => {
    if (this.state.tried) void browser.reloadWhenReachable()
    this.setState({ broken: false, tried: true })
  }

  override render() {
    if (!this.state.broken) return this.props.children
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
