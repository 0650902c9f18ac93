import '../theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient, startOnlineWatch } from '../lib/query-client.ts'
import { findRoute } from '../lib/routes.ts'
import { unregisterServiceWorkers } from '../lib/service-workers.ts'
import { App } from './app.tsx'
import { screens } from './screens.ts'

void unregisterServiceWorkers()
startOnlineWatch()

// The page's own chunk comes while the program starts, not after it.
const route = findRoute(window.location.pathname)
if (route) screens[route.path]?.load().catch(() => undefined)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App screens={screens} queryClient={createQueryClient()} />
  </StrictMode>,
)
