// Runs before the first paint and without the program. It stands before the style sheet, for which a script would wait.

// A kept choice of theme never flashes the other one, and where people hide no page is bright. See lib/look/theme.ts.
try {
  const theme = localStorage.getItem('quiet') ? 'dark' : localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
} catch {}

// The files of the page that will most likely be shown come beside the program, not after it. The rows of pages/pages.ts,
// with the files of each page, stand in the meta tag. Only app/guards.tsx decides: a wrong guess costs a fetch.
try {
  const pages = JSON.parse(document.querySelector('meta[name="page-files"]')?.content ?? '{}')
  const fits = (path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(location.pathname)
  const asked = location.pathname === '/' ? '/reportinlist' : Object.keys(pages).find(fits)
  const hasLink = /[?&#](token|reportInToken)=/.test(location.search + location.hash)
  const auth = JSON.parse(localStorage.getItem('auth'))
  const isForGuests = (path) => pages[path]?.access === 'guest'
  // A page that a link opens to anybody
  const isOpen = pages[asked]?.access === 'link'
  const opensToGuest = isOpen || isForGuests(asked) ? asked : asked && '/login'
  const opensToWarden = isForGuests(asked) && !hasLink ? '/reportinlist' : asked
  const shown = auth === null ? opensToGuest : opensToWarden
  // Asked beside the program, and taken in session/api.ts: what a warden's first screen waits for. What a screen shows is
  // taken within 2 s alone: what was read earlier would pass for newer than it is.
  window.asked = []
  const ask = (url, authorization, body, lasts = 10_000) => {
    const limit = new AbortController()
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }
    if (authorization) headers.Authorization = authorization
    const answer = fetch(url, { method: body ? 'POST' : 'GET', headers, body, signal: limit.signal })
    // as long as a call of the program may last
    const until = Date.now() + lasts
    const early = { url, authorization, body, until, answer, stop: () => limit.abort() }
    answer.catch(() => undefined)
    window.asked.push(early)
    return early
  }
  // A browser's translator would freeze the figures of a live page. See app/place/no-translation.ts.
  if (auth && shown && !isOpen && !isForGuests(shown)) document.documentElement.translate = false
  // Whether the session lives.
  if (auth?.access_token && shown && !isOpen && !isForGuests(shown)) ask('/api/user', auth.access_token)
  // The check of a report-in link, which may be opened again, and then the profile and the one card
  // of who it signs in.
  const read = (part) => new URLSearchParams(part.slice(1)).get('reportInToken')
  const token = read(location.hash) || read(location.search)
  if (asked === '/login' && token) {
    const check = ask('/api/v2/auth/verify-login-report-in', auth?.access_token, JSON.stringify({ token }))
    check.answer = check.answer.then(async (response) => {
      const copy = response.clone()
      const reply = await copy.json().catch(() => null)
      if (!reply?.access_token) return response
      const bearer = `Bearer ${reply.access_token}`
      ask('/api/user', bearer)
      const signIn = reply.WardenSignInUID
      if (signIn) ask(`/api/v2/warden/singleReportInCardJson?WardenSignInUID=${signIn}`, bearer, undefined, 2000)
      return response
    })
    check.answer.catch(() => undefined)
  }
  // a link leads on to the list
  const next = hasLink && shown === '/login' ? pages['/reportinlist'].files : []
  for (const file of new Set([...(pages[shown]?.files ?? []), ...next])) {
    const link = Object.assign(document.createElement('link'), {
      rel: 'modulepreload',
      href: `/${file}`,
      crossOrigin: '',
    })
    document.head.append(link)
  }
  if (shown) document.documentElement.dataset.opens = shown
  // The login page is drawn already, as a phone shows it that has stored nothing. Nothing can be typed into the drawing:
  // app/main.tsx puts the page in its place. It waits for the end of the page alone, not for the style sheet.
  const differs =
    localStorage.getItem('country') ?? localStorage.getItem('lockStartTime') ?? sessionStorage.getItem('signedOut')
  const draw = () => {
    const drawn = document.querySelector(`template[data-picture=${hasLink ? 'link' : 'login'}]`)
    if (!drawn) return
    const picture = document.createElement('div')
    picture.inert = true
    picture.append(drawn.content)
    document.getElementById('root').prepend(picture)
  }
  if (shown === '/login' && differs === null) document.addEventListener('readystatechange', draw, { once: true })
} catch {}

// The program could not be fetched: without signal, or because this page is older than the files it names.
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return
    const again = document.createElement('button')
    again.textContent = 'Try again'
    again.addEventListener('click', () => location.reload())
    document.querySelector('#root > [inert]')?.remove()
    document.querySelector('.boot')?.replaceChildren('This page could not be loaded. Check your signal.', again)
  },
  true,
)
