// Runs before the first paint and without the program. It stands before the style sheet, for which a script would wait.

// A kept choice of theme never flashes the other one. See src/lib/theme.ts.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
} catch {}

// The files of the page that will most likely be shown come beside the program, not after it. The rows of src/pages/pages.ts,
// with the files of each page, stand in the meta tag. Only src/app/guards.tsx decides: a wrong guess costs a fetch.
try {
  const pages = JSON.parse(document.querySelector('meta[name="page-files"]')?.content ?? '{}')
  const fits = (path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(location.pathname)
  const asked = location.pathname === '/' ? '/reportinlist' : Object.keys(pages).find(fits)
  const hasLink = /[?&#](token|reportInToken)=/.test(location.search + location.hash)
  const auth = JSON.parse(localStorage.getItem('auth'))
  const isForGuests = (path) => pages[path]?.access === 'guest'
  // AAR-30: a page that a link opens to anybody
  const isOpen = pages[asked]?.access === 'link'
  const opensToGuest = isOpen || isForGuests(asked) ? asked : asked && '/login'
  const opensToWarden = isForGuests(asked) && !hasLink ? '/reportinlist' : asked
  const shown = auth === null ? opensToGuest : opensToWarden
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
  // src/app/main.tsx puts the page in its place. It waits for the end of the page alone, not for the style sheet.
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
  // Whether the session lives is asked beside the program, too: a warden's first screen waits for it. Taken in src/session/api.ts.
  // What a screen shows is not: what was read before the program came would pass for newer than it is.
  if (auth?.access_token && shown && !isOpen && !isForGuests(shown)) {
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
    document.querySelector('#root > [inert]')?.remove()
    document.querySelector('.boot')?.replaceChildren('This page could not be loaded. Check your signal.', again)
  },
  true,
)
