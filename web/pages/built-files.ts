/** The files of each page, as the build writes them into the page (web/built-page.ts). */
export function filesOfPage(path: string): string[] {
  const said = document.querySelector<HTMLMetaElement>('meta[name="page-files"]')?.content ?? '{}'
  const built: Record<string, { files: string[] }> = JSON.parse(said)
  return built[path]?.files ?? []
}
