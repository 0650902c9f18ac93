// Runs before the first paint and without the program.

// A kept choice of theme never flashes the other one. See src/lib/theme.ts.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
} catch {}

// The files of the screen that will be shown come beside the program, not after it. Who is sent where: src/app/guards.tsx.
try {
  const files = JSON.parse(document.querySelector('meta[name="page-files"]')?.content ?? '{}')
  const fits = (path) =>
    path === location.pathname || (/\{/.test(path) && location.pathname.startsWith(path.split('{')[0]))
  const asked = location.pathname === '/' ? '/reportinlist' : Object.keys(files).find(fits)
  const hasLink = /[?&#](token|reportInToken)=/.test(location.search + location.hash)
  const auth = JSON.parse(localStorage.getItem('auth'))
  const signedIn = auth !== null
  const shown = !signedIn ? asked && '/login' : asked === '/login' && !hasLink ? '/reportinlist' : asked
  for (const file of files[shown] ?? []) {
    const link = Object.assign(document.createElement('link'), {
      rel: 'modulepreload',
      href: `/${file}`,
      crossOrigin: '',
    })
    document.head.append(link)
  }
  if (shown) document.documentElement.dataset.opens = shown
  // Whether the session lives is asked beside the program, too: a warden's first screen waits for it. Taken in src/lib/api.ts.
  // What a screen shows is not: what was read before the program came would pass for newer than it is.
  if (auth?.access_token && shown && shown !== '/login') {
    const limit = new AbortController()
    const url = '/api/user'
    const authorization = auth.access_token
    const answer = fetch(url, {
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', Authorization: authorization },
      signal: limit.signal,
    })
    answer.catch(() => undefined)
    window.asked = { url, authorization, answer, stop: () => limit.abort() }
  }
} catch {}

// The program could not be fetched: without signal, or because this page is older than the files it names.
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return
    const again = document.createElement('button')
    again.textContent = 'Try again'
    again.addEventListener('click', () => location.reload())
    document.querySelector('.boot')?.replaceChildren('This page could not be loaded. Check your signal.', again)
  },
  true,
)
