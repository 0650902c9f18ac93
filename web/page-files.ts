import { readFileSync } from 'node:fs'
import { minifySync, type Plugin, type Rolldown } from 'vite'
import { pages } from './src/pages/pages.ts'

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk

const boot = new URL('public/boot.js', import.meta.url)

/**
 * Tells the built page who may open each page and which files it needs beside the program. boot.js asks for them at once.
 * It stands in the page itself: one request less, and a page that is opened without signal has it (UX-70).
 */
export function pageFiles(): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        if (!bundle) return html
        const content = JSON.stringify(filesOfPages(bundle))
        const { code } = minifySync('boot.js', readFileSync(boot, 'utf8'))
        // The list comes before boot.js, which reads it while the page is still arriving.
        return html.replace(
          '<script src="/boot.js"></script>',
          () => `<meta name="page-files" content='${content}' />\n    <script>${code}</script>`,
        )
      },
    },
  }
}

function filesOfPages(bundle: Bundle) {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const program = chunks.filter((chunk) => chunk.isEntry).flatMap((chunk) => withImports(chunk, bundle))
  const found = pages.flatMap(({ path, access, screen }) => {
    if (!screen) return []
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${screen}.tsx`))
    if (!chunk) throw new Error(`The page ${path} names a screen that does not exist: src/${screen}.tsx`)
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
