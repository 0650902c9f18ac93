import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { pages } from '../pages/pages.ts'
import { setAuth } from '../session/stored-auth.ts'
import { renderApp } from '../testing/render-app.tsx'
import { storedAuth } from '../testing/stored-auth.ts'

const boot = await (await fetch('/boot.js')).text()
const open = pages.filter(({ screen }) => screen)

afterEach(() => {
  globalThis.asked = undefined
})

/** The page whose files boot.js asks for at this address. */
function opensAt(address: string) {
  const meta = Object.assign(document.createElement('meta'), { name: 'page-files' })
  meta.content = JSON.stringify(Object.fromEntries(open.map(({ path, access }) => [path, { access, files: [] }])))
  document.head.append(meta)
  history.replaceState(null, '', address)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  new Function(boot)()
  meta.remove()
  return document.documentElement.dataset.opens
}

const visits = open.flatMap(({ path }) => [
  { path, visitor: 'nobody', auth: null },
  { path, visitor: 'a warden', auth: {} },
])
test.each(visits)('ROUTE-29 boot.js foresees where the guards lead $visitor from $path', async ({ path, auth }) => {
  const address = path.replace(/\{\w+\}/, 'a1')
  if (auth) setAuth(storedAuth(auth))
  const foreseen = opensAt(address)

  await renderApp(address, { auth })

  await expect.element(page.getByText(`page ${foreseen}`, { exact: true })).toBeVisible()
})
