import { createRequire } from 'node:module'
import { runnerImport } from 'vite'

// Draws what a phone that has stored nothing shows at /login, and while it checks a link. A program of its own, because it
// stands in for a browser.
const location = { pathname: '/login', search: '', hash: '' }
const nowhere = { querySelector: () => null, documentElement: { dataset: {} } }
const history = { state: null, pushState() {}, replaceState() {} }
const matchMedia = () => ({ matches: false })
Object.assign(globalThis, { window: globalThis, document: nowhere, location, history, matchMedia })

const require = createRequire(import.meta.url)
const react = require('react')
// React asks each store for what it holds on a server. Ours hold what the phone holds.
react.useSyncExternalStore = (_: unknown, get: () => unknown) => get()

const { module } = await runnerImport<typeof import('./app/login-picture.tsx')>('/app/login-picture.tsx', {
  root: import.meta.dirname,
  configFile: false,
  logLevel: 'error',
})

/** HTML in which nothing can be typed or chosen: React draws the page anew. */
function draw(hash: string): string {
  location.hash = hash
  const html: string = require('react-dom/server').renderToStaticMarkup(react.createElement(module.LoginPicture))
  return html
    .replaceAll(/<link[^>]*>|<dialog.*?<\/dialog>/g, '')
    .replaceAll('<input ', '<input readonly ')
    .replaceAll('<select ', '<select disabled ')
}

console.log(JSON.stringify({ login: draw(''), link: draw('#reportInToken=any') }))
