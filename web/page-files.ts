import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk

/** Tells the built page which files each screen needs beside the program, so that boot.js asks for them at once. */
export function pageFiles(screens: string): Plugin {
  return {
    name: 'page-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        if (!bundle) return html
        const content = JSON.stringify(filesOfScreens(screens, bundle))
        // Before boot.js, which reads it while the page is still arriving.
        return html.replace('<script src="/boot.js">', `<meta name="page-files" content='${content}' />\n    $&`)
      },
    },
  }
}

const entries = /'(\/[^']*)': screen\(\s*\(\) =>\s*import\('([^']+)'\)/g

function filesOfScreens(screens: string, bundle: Bundle): Record<string, string[]> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const program = chunks.filter((chunk) => chunk.isEntry).flatMap((chunk) => withImports(chunk, bundle))
  const found = [...readFileSync(screens, 'utf8').matchAll(entries)].map(([, path = '', module = '']) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(basename(module)))
    if (!chunk) throw new Error(`${module} of ${path} has no file in the build`)
    return [path, withImports(chunk, bundle).filter((file) => !program.includes(file))]
  })
  if (found.length === 0) throw new Error(`${screens} names no screen`)
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
