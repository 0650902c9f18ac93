import '../wardens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startStore } from '../lib/browser.ts'
import { unregisterServiceWorkers } from '../lib/service-workers.ts'
import type { PagePath } from '../pages/pages.ts'
import { createQueryClient, startOnlineWatch } from '../reads/query-client.ts'
import { leavingStore } from '../session/session-end.ts'
import { App } from './app.tsx'
import { screens } from './screens.ts'

void unregisterServiceWorkers()
startOnlineWatch()

const element = document.getElementById('root')
if (!element) throw new Error('index.html has no #root')
const root = createRoot(element)
const draw = () =>
  root.render(
    <StrictMode>
      <App key={startStore.get()} queryClient={createQueryClient()} />
    </StrictMode>,
  )
startStore.subscribe(() => {
  leavingStore.set(false)
  draw()
})

// boot.js has asked for the first screen's file already; the page's own 'Loading...', or the drawn login page, stays until
// it is here. Not by `await`: the file imports from this one, which would be waiting for it.
const first = screens[document.documentElement.dataset.opens as PagePath]
if (first) first.load().then(draw, draw)
else draw()
