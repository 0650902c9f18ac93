import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { minifySync, type Plugin, type Rolldown } from 'vite'
import { pages } from './pages/pages.ts'

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * What stands in the built page itself, so that it needs no request and a page that opens without signal has it:
 * the files of each page, which boot.js asks for beside the program, boot.js, and how the login page looks.
 */
export function builtPage(): Plugin {
  return {
    name: 'built-page',
    apply: 'build',
    // The program asks for a page by what stands in the built page, so the bundler does not see which files those are.
    buildStart() {
      for (const { screen } of pages)
        if (screen) this.emitFile({ type: 'chunk', id: here(`../${screen}.tsx`), preserveSignature: 'strict' })
    },
    // Only the build reads the name of the file: 0.3 kB gz of the first load less.
    transform: {
      order: 'pre',
      filter: { id: /\/web\/pages\/pages\.ts$/ },
      handler: (code) => code.replaceAll(/screen: '[^']+'/g, 'screen: true'),
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        if (!bundle) return html
        const files = `<meta name="page-files" content='${JSON.stringify(filesOfPages(bundle))}' />`
        const { code } = minifySync('boot.js', readFileSync(here('public/boot.js'), 'utf8'))
        return html
          .replace('<script src="/boot.js"></script>', () => `${files}\n    <script>${code}</script>`)
          .replace('<noscript>', () => `${drawLogin()}\n    <noscript>`)
      },
    },
  }
}

/** One template for the page, one for the same page while it checks a link. */
function drawLogin(): string {
  const env = { ...process.env, NODE_ENV: 'production' }
  const drawn = JSON.parse(execFileSync(process.execPath, [here('draw-login.ts')], { encoding: 'utf8', env }))
  return Object.entries(drawn)
    .map(([name, html]) => `<template data-picture="${name}">${html}</template>`)
    .join('\n    ')
}

function filesOfPages(bundle: Bundle) {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const program = chunks
    .filter(({ facadeModuleId }) => facadeModuleId?.endsWith('/index.html'))
    .flatMap((chunk) => withImports(chunk, bundle))
  const found = pages.flatMap(({ path, access, screen }) => {
    if (!screen) return []
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${screen}.tsx`))
    if (chunk?.exports.length !== 1) throw new Error(`The page ${path} needs ${screen}.tsx with one component`)
    return [[path, { access, files: withImports(chunk, bundle).filter((file) => !program.includes(file)) }]]
  })
  return Object.fromEntries(found)
}

function withImports(chunk: Chunk, bundle: Bundle, seen = new Set<string>()): string[] {
  seen.add(chunk.fileName)
  for (const name of chunk.imports) {
    const next = bundle[name]
    if (next?.type === 'chunk' && !seen.has(name)) withImports(next, bundle, seen)
  }
  return [...seen]
}
