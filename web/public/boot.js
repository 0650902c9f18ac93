// Runs before the first paint and without the program.

// A kept choice of theme never flashes the other one. See src/lib/theme.ts.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
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
