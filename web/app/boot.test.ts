import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { getReportInCardByLink } from '#features/duty/calls/report-in.ts'
import { pages } from '../pages/pages.ts'
import { setAuth } from '../session/stored-auth.ts'
import { renderApp } from '../testing/render-app.tsx'
import { someSignIn, storedAuth } from '../testing/stored-auth.ts'

const boot = await (await fetch('/boot.js')).text()
const open = pages.filter(({ screen }) => screen)

afterEach(() => {
  for (const part of document.querySelectorAll('#root, template')) part.remove()
})

const noAnswer = () => Promise.reject(new TypeError('Failed to fetch'))

/** The page whose files boot.js asks for at this address. */
function opensAt(address: string, fetch: typeof globalThis.fetch = noAnswer) {
  const meta = Object.assign(document.createElement('meta'), { name: 'page-files' })
  meta.content = JSON.stringify(Object.fromEntries(open.map(({ path, access }) => [path, { access, files: [] }])))
  document.head.append(meta)
  history.replaceState(null, '', address)
  vi.stubGlobal('fetch', fetch)
  new Function(boot)()
  // as when all of the page is there
  document.dispatchEvent(new Event('readystatechange'))
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

/** The page as built: the root, and the drawings of the login page. */
function giveDrawings(): HTMLElement {
  const root = Object.assign(document.createElement('div'), { id: 'root' })
  for (const name of ['login', 'link']) {
    const template = document.createElement('template')
    template.dataset.picture = name
    template.content.append(`drawn ${name}`)
    document.body.append(template)
  }
  document.body.append(root)
  return root
}

const warden = () => setAuth(storedAuth({}))
const sights: [string, string, () => void, string][] = [
  ['/login', 'on a new phone', () => {}, 'drawn login'],
  ['/floor/evacuation', 'on a new phone', () => {}, 'drawn login'],
  ['/login#reportInToken=a', 'on a new phone', () => {}, 'drawn link'],
  ['/login#reportInToken=a', 'signed in', warden, 'drawn link'],
  ['/login', 'signed in', warden, ''],
  ['/forgot-password', 'on a new phone', () => {}, ''],
  ['/login', 'with another country chosen', () => localStorage.setItem('country', '64'), ''],
  ['/login', 'while the form is locked', () => localStorage.setItem('lockStartTime', '1'), ''],
  ['/login', 'after the server ended the session', () => sessionStorage.setItem('signedOut', '1'), ''],
]
test.each(sights)(
  'LOGIN-02 before the program has come, %s %s shows what the page will show',
  (address, _, given, drawn) => {
    const root = giveDrawings()
    given()

    opensAt(address)

    expect(root.textContent).toBe(drawn)
    expect(root.firstElementChild?.hasAttribute('inert') ?? false).toBe(drawn !== '')
  },
)

/** What boot.js asks the server at this address, and who as. `reply` answers the check of a link. */
async function asksAt(address: string, reply: object = { tokenStatus: 'valid', access_token: 'token-2' }) {
  const asks: unknown[] = []
  opensAt(address, async (url, { headers, body } = {}) => {
    const who = new Headers(headers).get('authorization')
    asks.push(body ? [url, who, JSON.parse(String(body))] : [url, who])
    return Response.json(reply)
  })
  for (const { answer } of globalThis.asked ?? []) await answer
  expect(globalThis.asked).toHaveLength(asks.length)
  return asks
}
const verify = '/api/v2/auth/verify-login-report-in'

test.each([
  ['/login#reportInToken=abc_-1', 'abc_-1'],
  ['/login?reportInToken=abc', 'abc'],
  ['/login?reportInToken=b#reportInToken=a', 'a'],
  ['/login?token=a&reportInToken=b', 'b'],
])('LOGIN-05 AMB-037 at %s the link is checked beside the program, and the profile read', async (address, token) => {
  expect(await asksAt(address)).toEqual([
    [verify, null, { token }],
    ['/api/user', 'Bearer token-2'],
  ])
})

test('LIST-36 the card of a report-in link is read beside the profile, and is used for 2 seconds', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(0)
  const reply = { tokenStatus: 'valid', access_token: 'token-2', WardenSignInUID: someSignIn }
  expect((await asksAt('/login#reportInToken=a', reply)).slice(1)).toEqual([
    ['/api/user', 'Bearer token-2'],
    [`${getReportInCardByLink.path}?WardenSignInUID=${someSignIn}`, 'Bearer token-2'],
  ])
  expect(globalThis.asked?.map(({ until }) => until)).toEqual([10_000, 10_000, 2000])
})

test('LOGIN-51 the check of a link beside the program names who is signed in, as the program does', async () => {
  warden()
  expect(await asksAt('/login#reportInToken=a')).toEqual([
    [verify, 'Bearer token-1', { token: 'a' }],
    ['/api/user', 'Bearer token-2'],
  ])
})

test.each([{ tokenStatus: 'invalid-concluded' }, []])(
  'LOGIN-46 to a link answered %j follows no question',
  async (reply) => {
    expect(await asksAt('/login#reportInToken=a', reply)).toEqual([[verify, null, { token: 'a' }]])
  },
)

test.each([
  '/login',
  '/login#token=a',
  '/login?token=a',
  '/forgot-password#reportInToken=a',
  '/floor/evacuation#reportInToken=a',
])(
  'LOGIN-04 at %s nothing is asked of a visitor before the program has come: the link of a mobile works once',
  async (address) => {
    expect(await asksAt(address)).toEqual([])
  },
)
